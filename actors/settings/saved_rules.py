"""Writing down what the user has chosen for good: rules and keys in a TOML file, everything else in it kept as it is.

In a workspace's file a rule counts because what the file says then is vouched for; that is written down first. Killed
in between, the file is not as it was vouched for, so it tightens only, until the same answer or the user's trust.
"""

import fcntl
import os
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from actors.common.small_files import replace_file
from actors.errors import BadConfiguration
from actors.settings import toml_files, trust, workspace_files
from actors.settings.config import UserFile
from actors.settings.permissions import parse
from actors.settings.workspace_files import LOCAL_FILE, TRUST, Found

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Array

IGNORED = Path(LOCAL_FILE).name
"""The file that belongs to one user and is not committed."""
IGNORING = f"/.gitignore\n/{IGNORED}\n/.{IGNORED}.*\n"
"""What is made here for one user, and no more: see DECISIONS."""
LISTS = ("allow", "ask", "deny")


def remember(path: Path, rules: tuple[str, ...], home: Path) -> None:
    """Adds allow rules to the file, which need not be there yet. Raises BadConfiguration; then it is untouched."""
    for rule in rules:
        parse(rule, "not written down")
    with _changing(path, home, adding=True) as document:
        listed = _listed(document)
        for rule in dict.fromkeys(rules):
            if rule not in listed.unwrap():
                listed.append(rule)


def set_key(home: Path, key: str, value: str) -> None:
    """In the user's own file, at its top level. Raises BadConfiguration; then it is untouched."""
    with _changing(home / "config.toml", home, adding=True) as document:
        document[key] = value


def forget(path: Path, rule: str, home: Path, lists: Container[str] = LISTS) -> bool:
    """Takes a rule out of these lists of the file. Was it there? Raises BadConfiguration; then untouched."""
    if not path.exists():
        return False
    forgotten = False
    with _changing(path, home, adding=False) as document:
        for listed in [listed for name, listed in document.get("permissions", {}).items() if name in lists]:
            for place in reversed([place for place, text in enumerate(listed.unwrap()) if text == rule]):
                del listed[place]
                forgotten = True
    return forgotten


@contextmanager
def _changing(path: Path, home: Path, *, adding: bool) -> Iterator["TOMLDocument"]:
    """What was made of it is written when the block ends without an error, if it is different."""
    from tomlkit import parse as parse_document
    from tomlkit.exceptions import TOMLKitError

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # not the folder of the file itself: tool workers hold a lock on .trouper as long as they live
        folder = os.open(path.parent.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise BadConfiguration(f"cannot write {path}: {error}.") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # another session may be writing down an answer, too
        before = toml_files.text_of(path)
        _check(before, path)
        document = parse_document(before)
        yield document
        after = document.as_string()
        _check(after, path)
        if path.name == IGNORED:
            _write_vouched(home, path, before, after, adding=adding)
        elif after != before:
            replace_file(path.resolve(), after.encode())  # it may be a link to where the user keeps such files
    except (OSError, TOMLKitError) as error:
        raise BadConfiguration(f"cannot write {path}: {error}.") from error
    finally:
        os.close(folder)


def _listed(document: "TOMLDocument") -> "Array":
    """The list of allow rules, made where there is none; the text was checked to have the right shape."""
    from tomlkit import array, table

    permissions = document.setdefault("permissions", table())
    listed: Array = permissions.setdefault("allow", array())
    return listed


def _check(text: str, path: Path) -> None:
    """Raises BadConfiguration."""
    if path.name == IGNORED:
        workspace_files.parse(text, path)
    else:
        toml_files.parse(text, path, UserFile)


def _write_vouched(home: Path, path: Path, before: str, after: str, *, adding: bool) -> None:
    """Vouched for where nobody but the user and we has made it what it is. Raises BadConfiguration and OSError."""
    found = Found(path, before, workspace_files.parse(before, path)[0], trust.record(home, path))
    if os.path.realpath(path) != found.record.path:
        raise BadConfiguration(f"{path} is, or is in, a symlink: rules are not written through one.")
    known = found.record.text
    is_own = found.is_trusted or known == after or (known is None and not found.says.loosens())
    if adding and not is_own:
        raise BadConfiguration(f"{path} is not trusted, so a rule in it would not count. Look at it with: {TRUST}")
    if is_own:
        trust.vouch(home, path, after)
    try:
        if after != before:
            _write(path, after)
    except OSError:
        trust.keep(home, found.record)
        raise


def _write(path: Path, text: str) -> None:
    with suppress(FileExistsError), (path.parent / ".gitignore").open("x", encoding="utf-8") as ignore:
        ignore.write(IGNORING)
    replace_file(path, text.encode())

"""Writing down what the user has allowed for good: rules in a TOML file, everything else in it kept as it is."""

import fcntl
import os
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from actors import local_rules, toml_files
from actors.config import LocalFile, UserFile
from actors.errors import BadConfiguration
from actors.permissions import parse
from actors.replacing import replace_file
from actors.trust import why_not_trusted

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Array

IGNORED = "config.local.toml"
"""The file that belongs to one user and is not committed."""
LISTS = ("allow", "ask", "deny")


def remember(path: Path, rules: tuple[str, ...], home: Path) -> None:
    """Adds allow rules to the file, which need not be there yet. Raises BadConfiguration; then it is untouched."""
    for rule in rules:
        parse(rule, "not written down")
    with _changing(path, home) as document:
        listed = _listed(document)
        for rule in dict.fromkeys(rules):
            if rule not in listed.unwrap():
                listed.append(rule)


def forget(path: Path, rule: str, home: Path, lists: Container[str] = LISTS) -> bool:
    """Takes a rule out of these lists of the file. Was it there? Raises BadConfiguration; then untouched."""
    if not path.exists():
        return False
    forgotten = False
    with _changing(path, home) as document:
        for listed in [listed for name, listed in document.get("permissions", {}).items() if name in lists]:
            for place in reversed([place for place, text in enumerate(listed.unwrap()) if text == rule]):
                del listed[place]
                forgotten = True
    return forgotten


@contextmanager
def _changing(path: Path, home: Path) -> Iterator["TOMLDocument"]:
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
        why = (why_not_trusted(path) or local_rules.why_changed(home, path, before)) if path.name == IGNORED else ""
        if why:
            raise BadConfiguration(f"{path} is not trusted, so a rule in it would not count: {why}.")
        toml_files.parse(before, path, _shape(path))
        document = parse_document(before)
        yield document
        after = document.as_string()
        toml_files.parse(after, path, _shape(path))
        if after != before:
            _write(path, after)
            if path.name == IGNORED and local_rules.kept(home, path) is not None:
                local_rules.keep(home, path, after)
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


def _shape(path: Path) -> type[LocalFile] | type[UserFile]:
    return LocalFile if path.name == IGNORED else UserFile


def _write(path: Path, text: str) -> None:
    replace_file(path, text.encode())
    ignore = path.parent / ".gitignore"
    if path.name == IGNORED and not os.path.lexists(ignore):
        ignore.write_text(f"{IGNORED}\n", encoding="utf-8")

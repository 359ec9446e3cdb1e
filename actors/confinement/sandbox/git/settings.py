"""What a file of git's settings says, read without git: its includes could lead anywhere.

As git's own config.c reads it, https://git-scm.com/docs/git-config#_syntax; whatever is odd counts as unreadable.
"""

import hashlib
import os
import re
from pathlib import Path

from actors.common.small_files import read_regular

MOST = 1 << 18
"""Bytes: a longer file counts as unreadable."""
NOTHING = re.compile(rb"[ \t\n]++|[#;][^\n]*+")
SECTION = re.compile(rb'\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]')
NAME = re.compile(rb"([A-Za-z][A-Za-z0-9-]*+)[ \t]*+(=|\n|\Z)")
PIECE = re.compile(rb'[^"\\#;\n]|\\[\ntbn"\\]|"(?:[^"\\\n]|\\[\ntbn"\\])*"')
"""Of a value."""
REST = re.compile(rb"(?:[#;][^\n]*+)?(?:\n|\Z)")
ESCAPED = re.compile(rb"\\([^\n])")
PLAIN = re.compile(rb'\\([\ntbn"\\])|"')
MEANT = {b"\n": b"", b"t": b"\t", b"b": b"\b", b"n": b"\n"}

HARMLESS = re.compile(
    r"core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol"
    r"|safecrlf|quotepath|sparsecheckout|sparsecheckoutcone)"
    r"|remote\..*\.(url|pushurl|fetch|push|prune|tagopt)|branch\..*\.(remote|pushremote|merge|rebase|description)"
    r"|user\.(name|email)|init\.defaultbranch|push\.(default|autosetupremote)|pull\.(ff|rebase)|fetch\.prune"
    r"|merge\.conflictstyle|submodule\..*\.(url|active|branch)|submodule\.active|color\..*"
    r"|extensions\.(worktreeconfig|objectformat|compatobjectformat|refstorage|noop|preciousobjects|relativeworktrees)",
    re.DOTALL | re.IGNORECASE,
)
"""Names of settings that name no program. A partial clone counts: git fetches what it misses whatever it is asked."""
ELSEWHERE = re.compile(r"(https?|ssh|git)://.*|[\w.-]+(@[\w.-]+)?:(?!:|//).*", re.DOTALL)
"""Addresses of remotes on other machines: one on this machine has hooks of its own."""


class Unreadable(Exception):
    """Nobody but git can say what is in it."""


def read(file: Path) -> bytes | None:
    """None: it is not there. What cannot be read here, or is too long, is odd, and other odd text when it changes."""
    if not os.path.lexists(file):
        return None
    try:
        text = read_regular(file, MOST + 1)
        info = file.stat()
    except OSError:
        return b"\0"
    return text if len(text) <= MOST else f"{info.st_ino} {info.st_ctime_ns} {info.st_size}\0".encode()


def risky(text: bytes, *, near: bool = False) -> frozenset[str]:
    """Those that may make git run something, or write elsewhere: name, line's end, value.

    near: a remote on this machine counts, for its hooks are run.
    """
    try:
        said = entries(text)
    except Unreadable:
        return frozenset({f"what only git can read\n{hashlib.sha256(text).hexdigest()}"})
    return frozenset(f"{name}\n{value}" for name, value in said if not _is_harmless(name, value, near=near))


def elsewhere(found: frozenset[str], folder: Path, top: Path) -> frozenset[str]:
    """These, but for a core.worktree that leads to the top of the repository itself, as git sets it of a submodule.

    folder: git's own.
    """
    home = os.path.realpath(top)
    pairs = ((entry, *entry.partition("\n")[::2]) for entry in found)
    return frozenset(
        entry for entry, name, value in pairs if name != "core.worktree" or os.path.realpath(folder / value) != home
    )


def _is_harmless(name: str, value: str, *, near: bool) -> bool:
    address = near and name.startswith("remote.") and name.endswith("url")
    return HARMLESS.fullmatch(name) is not None and (not address or ELSEWHERE.fullmatch(value) is not None)


def entries(text: bytes) -> list[tuple[str, str]]:
    """Name, all but the part in quotes in lower case, and value ("" also where there is none). Raises Unreadable."""
    text = text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    if len(text) > MOST or b"\0" in text or b"\r" in text:
        raise Unreadable
    found: list[tuple[str, str]] = []
    section, at = b"", 0
    while at < len(text):
        if nothing := NOTHING.match(text, at):
            at = nothing.end()
        elif header := SECTION.match(text, at):
            section = header[1].lower() + (b"." + ESCAPED.sub(rb"\1", header[2]) if header[2] is not None else b"")
            at = header.end()
        elif section and (name := NAME.match(text, at)):
            value, at = _value(text, name.end()) if name[2] == b"=" else (b"", name.end())
            found.append((_text(section + b"." + name[1].lower()), _text(value)))
        else:
            raise Unreadable
    return found


def _value(text: bytes, at: int) -> tuple[bytes, int]:
    start = at
    while piece := PIECE.match(text, at):
        at = piece.end()
    written = text[start:at].strip(b" \t")
    value = PLAIN.sub(lambda mark: MEANT.get(mark[1], mark[1]) if mark[1] else b"", written)
    rest = REST.match(text, at)
    if not rest or b"\t" in written:  # which versions of git read differently
        raise Unreadable
    return value, rest.end()


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")

"""Which word at the caret can be completed, and what it is: a command, its argument, a mention, a session. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from ui.common.prompt_files import MENTION_BEGINS, SESSION_BEGINS

_MENTION = re.compile(MENTION_BEGINS + r"(\"[^\"\n]*\"?|[^\s\"`\U000f0000-\U0010ffff][^\s`\U000f0000-\U0010ffff]*)?")
_SESSION = re.compile(SESSION_BEGINS + r"(\w[\w-]*)?")
_COMMAND = re.compile(r"\s*/([^\s/]*)")
_ARGUMENT = re.compile(r"\s*/([^\s/]+)[ \t]++([^\n]*)")


@dataclass(frozen=True)
class Target:
    kind: Literal["command", "argument", "mention", "session"]
    start: int
    """Of what is replaced, in the text."""
    end: int
    word: str
    """Without its sign and quotes."""
    command: str = ""
    before: tuple[str, ...] = ()
    """The argument's words in front of this one."""


def at(text: str, caret: int) -> Target | None:
    """None: nothing."""
    return _mention(text, caret) or _session(text, caret) or _command(text, caret) or _argument(text, caret)


def _mention(text: str, caret: int) -> Target | None:
    for found in _MENTION.finditer(text):
        if found.start() < caret <= found.end():
            return Target("mention", found.start(), found.end(), (found[1] or "").strip('"'))
    return None


def _session(text: str, caret: int) -> Target | None:
    """A number is an issue's."""
    for found in _SESSION.finditer(text):
        if found.start() < caret <= found.end() and not (found[1] or "").isdecimal():
            return Target("session", found.start(), found.end(), found[1] or "")
    return None


def _command(text: str, caret: int) -> Target | None:
    found = _COMMAND.match(text)
    if found is None or not found.start(1) <= caret <= found.end() or text[found.end() : found.end() + 1] == "/":
        return None
    return Target("command", found.start(1) - 1, found.end(), found[1])


def _argument(text: str, caret: int) -> Target | None:
    found = _ARGUMENT.fullmatch(text)
    if found is None or caret < found.start(2):
        return None
    start = max(text.rfind(" ", 0, caret), text.rfind("\t", 0, caret)) + 1
    blank = re.compile(r"\s").search(text, caret)
    end = len(text) if blank is None else blank.start()
    before = tuple(text[found.start(2) : start].split())
    return Target("argument", start, end, text[start:end], command=found[1], before=before)

"""The folders that skills, commands and agents lie in: the user's own, then the workspace's."""

import os
from pathlib import Path
from typing import Literal

import msgspec

Kind = Literal["skills", "commands", "agents"]
OF_HOME: dict[Kind, tuple[str, ...]] = {
    "skills": (".agents", ".claude"),
    "commands": (".claude",),
    "agents": (".claude",),
}
"""Folders of other agents, in the home folder and in a workspace."""


class Source(msgspec.Struct, frozen=True):
    folder: Path
    own: bool
    """The user's; else anybody may have put there what is in it."""


def sources(kind: Kind, home: Path, cwd: Path, user_home: Path) -> tuple[Source, ...]:
    """In the order in which they count: of two of one name the first does.

    Of a home folder that is worked in only what is in TROUPER_HOME is the user's own.
    """
    others = OF_HOME[kind]
    own = [Source(home / kind, own=True)]
    if not _same(user_home, cwd):
        own += [Source(user_home / name / kind, own=True) for name in others]
    brought = [cwd / name / kind for name in (".trouper", *others)]
    return (*own, *(Source(folder, own=False) for folder in brought if not _same(folder, home / kind)))


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)

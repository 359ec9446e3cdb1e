"""What is found out about one simple command of a command line: what it does, and to what."""

from typing import Literal

import msgspec
from msgspec.structs import replace

Does = Literal["read", "write", "execute"]
SEVERITY: tuple[Does, ...] = ("read", "write", "execute")


class Part(msgspec.Struct, frozen=True):
    """One simple command, wrappers taken off, quotes resolved."""

    text: str
    """Its words, quoted where they must be: what rules are compared with and what people are shown."""
    effect: Does
    """read: only looks; write: changes files that it names; execute: runs code, or nobody knows."""
    denied: str = ""
    """Why it never runs."""
    danger: str = ""
    """Why it is asked about every time."""
    danger_outside: str = ""
    """The same where no sandbox holds it: signals, services, packages of the system."""
    unsure: str = ""
    """What about it cannot be known before it runs: asked about; only a rule for the whole of its text counts."""
    unseen: str = ""
    """What leads or makes it and is not in the line, as a file of code is not: asked about where nothing holds it."""
    network: bool = False
    """It is of no use without a network."""
    unsandboxed: bool = False
    """It is of no use inside a sandbox: it needs credentials that commands do not see."""
    reads: tuple[str, ...] = ()
    """Paths it names, relative to the workspace or absolute, `..` and symlinks not resolved, `*` and `~/` kept."""
    writes: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    """Files and folders that are lost with all that is in them, named as in reads; `*`, `?` and `**` are patterns."""
    loses: str = ""
    """What can be lost that it does not name; "" for nothing."""
    into: tuple[str, ...] = ()
    """Where redirections write, named as in reads; "" where nobody knows."""
    moved_to: tuple[str | None, ...] = ()
    """Of `mv`: where it puts what it moves, written like reads; None: nobody knows."""
    once: bool = False
    """Line numbers or the like in it: not worth remembering."""
    blind: bool = False
    """It names files by variables or output of other commands, so reads and writes do not have them all."""
    astray: bool = False
    """It writes files of which nobody knows before it runs which they are."""
    repositories: tuple[str | None, ...] = ()
    """Of git: the folders it may start in to look for its repository, written like reads; None: any folder."""
    follows: bool = False
    """It also reads what the symlinks in the folders that it reads lead to."""


HARMLESS = Part("", "read")
EXECUTES = Part("", "execute")


def joined(first: Part, second: Part) -> Part:
    """One part with what either was found to do; the text is the first's."""
    return replace(
        first,
        effect=max(first.effect, second.effect, key=SEVERITY.index),
        denied=first.denied or second.denied,
        danger=first.danger or second.danger,
        danger_outside=first.danger_outside or second.danger_outside,
        unsure=first.unsure or second.unsure,
        unseen=first.unseen or second.unseen,
        network=first.network or second.network,
        unsandboxed=first.unsandboxed or second.unsandboxed,
        reads=tuple(dict.fromkeys(first.reads + second.reads)),
        writes=tuple(dict.fromkeys(first.writes + second.writes)),
        deletes=tuple(dict.fromkeys(first.deletes + second.deletes)),
        loses=first.loses or second.loses,
        into=tuple(dict.fromkeys(first.into + second.into)),
        moved_to=tuple(dict.fromkeys(first.moved_to + second.moved_to)),
        once=first.once or second.once,
        blind=first.blind or second.blind,
        astray=first.astray or second.astray,
        repositories=tuple(dict.fromkeys(first.repositories + second.repositories)),
        follows=first.follows or second.follows,
    )

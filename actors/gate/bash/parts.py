"""What is found out about one simple command of a command line: what it does, and to what."""

from dataclasses import dataclass, replace
from typing import Literal

Does = Literal["read", "write", "execute"]
SEVERITY: tuple[Does, ...] = ("read", "write", "execute")


@dataclass(frozen=True)
class Part:
    """One simple command, wrappers taken off, quotes resolved."""

    text: str
    """Its words, quoted where they must be: what rules are compared with and what people are shown."""
    effect: Does
    """read: only looks; write: changes files that it names; execute: runs code, or nobody knows."""
    denied: str = ""
    """Why it never runs."""
    danger: str = ""
    """Why it is asked about every time."""
    unsure: str = ""
    """What about it cannot be known before it runs: asked about; only a rule for the whole of its text counts."""
    network: bool = False
    """It is of no use without a network."""
    unsandboxed: bool = False
    """It is of no use inside a sandbox: it needs credentials that commands do not see."""
    reads: tuple[str, ...] = ()
    """Paths it names, relative to the workspace or absolute, `..` and symlinks not resolved, `*` and `~/` kept."""
    writes: tuple[str, ...] = ()
    once: bool = False
    """Line numbers or the like in it: not worth remembering."""
    blind: bool = False
    """It names files by variables or output of other commands, so reads and writes do not have them all."""


HARMLESS = Part("", "read")


def joined(first: Part, second: Part) -> Part:
    """One part with what either was found to do; the text is the first's."""
    return replace(
        first,
        effect=max(first.effect, second.effect, key=SEVERITY.index),
        denied=first.denied or second.denied,
        danger=first.danger or second.danger,
        unsure=first.unsure or second.unsure,
        network=first.network or second.network,
        unsandboxed=first.unsandboxed or second.unsandboxed,
        reads=tuple(dict.fromkeys(first.reads + second.reads)),
        writes=tuple(dict.fromkeys(first.writes + second.writes)),
        once=first.once or second.once,
        blind=first.blind or second.blind,
    )

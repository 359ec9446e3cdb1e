"""Whom a prompt is for: with `@explore find ...` a subagent of that kind is to do it, and the model is told so."""

import re
from collections.abc import Iterable
from pathlib import Path

from actors.messages.conversation import Quoted
from actors.settings.config import Settings
from actors.texts.agents import kinds
from actors.texts.agents.definition import Definition
from actors.texts.documents import hidden_by

_ADDRESSED = re.compile(r"\s*@([^\s@/:,\"]+)[:,]?\s+\S")
TOLD = (
    "{mention} is a type of subagent, and the user wants one of that type to do what the prompt says: call spawn_agent "
    "with this type, give it all that it has to know, and answer with what comes of it. Where it cannot be called, say "
    "so. What the type is for, which asks nothing of you, is the quoted line:"
)
SHOWN = "for a subagent of this kind"


def known(settings: Settings) -> tuple[Definition, ...]:
    """The kinds that there are, as for the agent itself. Blocks. settings: of the agent that the prompt goes to."""
    return kinds.find(settings, Path.home(), hidden_by(settings.rules)).definitions


def name(typed: str) -> str:
    """What it begins with, if a task comes after it; else ""."""
    found = _ADDRESSED.match(typed)
    return found[1] if found else ""


def instruction(addressed: str, there: Iterable[Definition]) -> Quoted | None:
    """None: there is no such kind. A kind of the repository's has its words, so they are only quoted."""
    for kind in there:
        if kind.name == addressed:
            mention = f"@{kind.name}"
            return Quoted(of=mention, head=TOLD.format(mention=mention), text=kind.description, summary=SHOWN)
    return None

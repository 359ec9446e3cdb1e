"""The system prompt as it would be now: what Trouper says, then the instruction files, the broadest first."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from actors.agent.prompt import sections
from actors.messages.conversation import Section
from actors.settings.config import Settings
from actors.texts import instruction_files

RULE = "\n\n---\n\n"
"""Between what Trouper says and each of the others."""


class Composed(msgspec.Struct, frozen=True):
    sections: tuple[Section, ...]
    notices: tuple[str, ...] = ()
    """What the user has to know."""


def composed(settings: Settings) -> Composed:
    """Reads some small files."""
    ours = sections.rendered(Path(settings.home), Path(settings.cwd))
    files = list(instruction_files.find(settings, Path.home()))
    told = [Section(name="instructions", origin=str(each.path), text=each.told) for each in files]
    notices = (*ours.notices, *(each.notice for each in files if each.notice))
    return Composed((*ours.sections, *told), notices)


def joined(parts: Iterable[Section]) -> str:
    """As it is sent."""
    ours = [part.text for part in parts if part.name in sections.NAMES]
    others = [part.text for part in parts if part.name not in sections.NAMES]
    return RULE.join(["\n\n".join(ours), *others])

"""What of the system prompt is different from what the model was told, and the note that tells it and the user.

A note and not another prompt: services cache by prefix. See `mode_notes`, which does the same for the mode.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from actors.agent.prompt import sections
from actors.agent.prompt.system_prompt import AGENTS, LASTING, SERVERS, SKILLS
from actors.messages.conversation import Instructed, Section
from actors.texts.instruction_files import quoted

WHOLE = 4000
"""Characters of a changed text that are told again as they are; of a longer one the lines that are different."""


def told(instructed: Iterable[Instructed]) -> tuple[Section, ...]:
    """What the model knows by now."""
    latest = {_key(section): section for one in instructed for section in one.sections}
    return tuple(section for section in latest.values() if section.text)


def changed(before: Iterable[Section], now: Iterable[Section]) -> tuple[Section, ...]:
    """What is new or different, and without its text what is gone."""
    known, there = _by_key(before), _by_key(now)
    different = [section for key, section in there.items() if key not in known or known[key].text != section.text]
    gone = [section for key, section in known.items() if key not in there and section.name not in LASTING]
    return (*different, *(Section(name=one.name, origin=one.origin, text="") for one in gone))


def note(before: Iterable[Section], different: Sequence[Section]) -> str:
    """ "" for nothing."""
    if not different:
        return ""
    known = _by_key(before)
    names = ", ".join(_named(section) for section in different)
    parts = [_said(section, known.get(_key(section))) for section in different]
    return "\n\n".join((f"Changed since this session began: {names}. From now on this counts:", *parts))


def _said(section: Section, before: Section | None) -> str:
    if section.name == SERVERS:
        return _said_of_server(section, before)
    if not section.text:
        return f"{_named(section)} is gone: what it said counts no more."
    if section.name == SKILLS:
        return f"A skill, for the tool `skill`; quoted, it is the repository's:\n\n{section.text}"
    if section.name == AGENTS and section.origin and len(section.text) <= WHOLE:
        return f"A type of agent, for `spawn_agent`; quoted, it is the repository's:\n\n{section.text}"
    if before is None or len(section.text) <= WHOLE:
        return section.text
    import difflib  # most sessions have nothing to tell

    lines = difflib.unified_diff(before.text.splitlines(), section.text.splitlines(), "before", "now", "", "", 2, "")
    difference = "\n".join(lines)
    if len(difference) >= len(section.text):
        return section.text
    head = section.text.partition("\n\n> ")[0]  # whose words they are, where they are not the user's
    whose = head if len(head) <= WHOLE else _named(section)
    return f"{whose}\n\nWhat is different in it, in quoted lines:\n\n{quoted(difference)}"


def _said_of_server(section: Section, before: Section | None) -> str:
    """Its own words only where they are others than before."""
    if not section.text:
        return f"- {section.origin}: it is gone, and its tools cannot be called."
    line, _, words = section.text.partition("\n\n")
    return line if before is not None and before.text.partition("\n\n")[2] == words else section.text


def _named(section: Section) -> str:
    if section.name == SERVERS:
        return f"the MCP server {section.origin}"
    return section.origin or section.name


def _by_key(parts: Iterable[Section]) -> dict[tuple[str, str], Section]:
    return {_key(part): part for part in parts}


def _key(section: Section) -> tuple[str, str]:
    """Of Trouper's own sections there is one each, wherever its text is from."""
    return section.name, "" if section.name in sections.NAMES else str(Path(section.origin))

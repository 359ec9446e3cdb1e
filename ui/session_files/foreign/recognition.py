"""Whose session a file is, and what it says: the one way into the converters."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO

import msgspec

from ui.session_files.foreign import claude, codex, pi, records
from ui.session_files.foreign.parts import Agent, Facts, Part, Tally

LOOKED_AT = 200
"""Lines; the first ones may be torn, or of no telling type."""
NAMES: dict[Agent, str] = {"claude": "Claude Code", "codex": "Codex", "pi": "pi"}


class NoSession(Exception):
    """The file is no session that can be read. Text for the user."""


@dataclass(frozen=True)
class Read:
    facts: Facts
    tally: Tally
    parts: Iterator[Part]

    @property
    def session_id(self) -> str:
        """Of the session it becomes: the same for the same one of theirs."""
        return hashlib.sha256(f"{self.facts.agent}/{self.facts.source_id}".encode()).hexdigest()[:32]


class _Head(msgspec.Struct, rename="camel"):
    type: str = ""
    id: str | None = None
    uuid: str | None = None
    session_id: str | None = None
    payload: msgspec.Raw = msgspec.Raw(b"")


def agent_of(file: IO[bytes]) -> Agent | None:
    """None: nobody's whose sessions are known."""
    for line in islice(records.lines(file), LOOKED_AT):
        try:
            head = records.read(line.data or b"", _Head)
        except records.Unreadable:
            continue
        if head.type == "session" and head.id:
            return "pi"
        if head.type in codex.KNOWN and head.payload:
            return "codex"
        if head.type in (*claude.CONVERSATION, *claude.KNOWN) and (head.session_id or head.uuid):
            return "claude"
    return None


def read(file: IO[bytes], agent: Agent) -> Read:
    """It goes through the whole file once; the parts do so again. Raises NoSession."""
    tally = Tally()
    try:
        facts, parts = _surveyed(file, agent, tally)
    except records.TooMuch as error:
        raise NoSession(f"{error}.") from error
    if not facts.speaks:
        raise NoSession(f"it is no session of {NAMES[agent]}, or nothing was said in it.")
    if not facts.source_id:
        file.seek(0)
        facts.source_id = hashlib.sha256(file.read(1 << 20)).hexdigest()
    return Read(facts, tally, parts)


def _surveyed(file: IO[bytes], agent: Agent, tally: Tally) -> tuple[Facts, Iterator[Part]]:
    match agent:
        case "claude":
            of_claude = claude.survey(file, tally)
            return of_claude.facts, claude.parts(file, of_claude, tally)
        case "codex":
            of_codex = codex.survey(file)
            return of_codex.facts, codex.parts(file, of_codex, tally)
        case "pi":
            of_pi = pi.survey(file, tally)
            return of_pi.facts, pi.parts(file, of_pi, tally)

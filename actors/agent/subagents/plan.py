"""Which subagents may be spawned: names are unique, and nobody waits for himself or for who is not there. Pure."""

from collections.abc import Iterable, Mapping

import msgspec

from actors.agent.session.ledger import Ledger
from actors.errors import Failed, failed
from actors.messages.conversation import ToolCall
from actors.texts.agents.agent_tools import SPAWN, SpawnAgent


def planned(calls: Iterable[ToolCall], ledger: Ledger) -> dict[str, tuple[str, ...]]:
    """Names that these calls are about to spawn, and whom each is to wait for."""
    found: dict[str, tuple[str, ...]] = {}
    for call in calls:
        wanted = _wanted(call)
        if wanted is not None and wanted.name not in ledger.all:
            found.setdefault(wanted.name, wanted.depends_on)
    return found


def _wanted(call: ToolCall) -> SpawnAgent | None:
    if call.name != SPAWN.name:
        return None
    try:
        return msgspec.json.decode(call.arguments, type=SpawnAgent)
    except msgspec.DecodeError:
        return None  # its result will say so


def refusal(wanted: SpawnAgent, ledger: Ledger, others: Mapping[str, tuple[str, ...]]) -> Failed | None:
    """others: that are planned beside it."""
    if wanted.name in ledger.all:
        return failed("bad_arguments", f'there is an agent "{wanted.name}" already.', "Choose another name.")
    known = ", ".join(sorted({*ledger.all, *others} - {wanted.name})) or "none"
    for name in wanted.depends_on:
        if name != wanted.name and name not in ledger.all and name not in others:
            return failed("bad_arguments", f'there is no agent "{name}" to wait for.', f"There are: {known}.")
    if circle := _circle(wanted, ledger, others):
        return failed("bad_arguments", f"these agents would wait for one another: {' -> '.join(circle)}.")
    return None


def _circle(wanted: SpawnAgent, ledger: Ledger, others: Mapping[str, tuple[str, ...]]) -> list[str]:
    waits = {name: one.spawned.depends_on for name, one in ledger.all.items()} | dict(others)
    waits[wanted.name] = wanted.depends_on
    seen: set[str] = set()
    way = [[wanted.name]]
    while way:
        path = way.pop()
        for name in waits.get(path[-1], ()):
            if name == wanted.name:
                return [*path, name]
            if name not in seen:
                seen.add(name)
                way.append([*path, name])
    return []


def number(session_ids: Iterable[str], parent: str) -> int:
    """The highest among the ids of sessions right below the parent's; 0 where there is none."""
    ends = (each.removeprefix(f"{parent}.") for each in session_ids if each.startswith(f"{parent}."))
    return max((int(end) for end in ends if end.isascii() and end.isdigit()), default=0)

"""What `skill` gives: the gate reads it, for what rules hide has to stay hidden, and a worker sees no TROUPER_HOME."""

from functools import partial
from pathlib import Path

import trio

from actors.common.own_tools import parsed
from actors.errors import failed
from actors.gate.own_tools import LoadSkill
from actors.gate.rules.scene import Scene
from actors.messages.conversation import ToolCall, ToolResult
from actors.settings.config import Settings
from actors.texts import skills
from actors.texts.documents import Refused
from actors.texts.skills import NoSuchSkill


async def result(call: ToolCall, scene: Scene, settings: Settings) -> ToolResult:
    """Raises Failed."""
    wanted = parsed(call, LoadSkill)
    try:
        output, summary = await trio.to_thread.run_sync(partial(_read, wanted, settings, scene.hidden))
    except (NoSuchSkill, Refused, OSError, ValueError) as error:
        raise failed("tool_failed", _why(wanted, error)) from error
    return ToolResult(call_id=call.call_id, name=call.name, output=output, summary=summary)


def _read(wanted: LoadSkill, settings: Settings, hidden: tuple[str, ...]) -> tuple[str, str]:
    skill = skills.one_of(skills.find(settings, Path.home(), hidden), wanted.name)
    whose = "yours" if skill.own else "the repository's"
    if wanted.file:
        return skills.file_of(skill, wanted.file, settings, hidden), f"{wanted.file} of {skill.name}, {whose}"
    return skills.loaded(skill, settings, hidden), f"{skill.name}, {whose}"


def _why(wanted: LoadSkill, error: Exception) -> str:
    what = f"{wanted.file} of the skill {wanted.name}" if wanted.file else f"the skill {wanted.name}"
    match error:
        case NoSuchSkill():
            return str(error)
        case OSError():
            return f"{what} cannot be read: {error.strerror or 'it is no path'}."
        case _:
            return f"{what} cannot be read: {error}."

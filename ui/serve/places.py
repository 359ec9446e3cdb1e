"""Where a task works, in which session and with what mode: what the client wants, within what it may have."""

from pathlib import Path

import msgspec
import trio
from msgspec import UNSET
from msgspec.structs import replace

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.budget import Budget
from actors.messages.store import FindSession, Recall, Recalled, Remember, Sessions
from actors.messages.tool import Mode
from actors.settings.config import Settings
from ui.batch.places import WIDTH, placed
from ui.batch.task import Isolation, Task
from ui.common.usage_errors import Usage
from ui.serve.terms import RunTask

SCRIPTED = "scripted:"
"""Models that are files: not for a client to name."""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session of ours works, as it is in the store: of a worktree it is the folder that it was made of."""

    cwd: str
    worktree: bool


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    task: Task
    settings: Settings
    """Of its agent, but for the folder."""


async def settle(mailbox: Mailbox, settings: Settings, wanted: RunTask, *, task_id: str, session_id: str) -> Placed:
    """session_id: that it goes on with, or a new one's. On disk before it counts. Raises Usage and Failed."""
    mode = mode_of(wanted, settings)
    if wanted.model.startswith(SCRIPTED):
        raise Usage(f'model "{wanted.model}" is none that a client can choose. Say PROVIDER/NAME, or leave it out.')
    if wanted.session_id:
        kept = await kept_place(mailbox, settings, wanted.session_id)
        _check_same(wanted, kept, Path(settings.cwd))
    else:
        kept = Kept(cwd=str(folder(wanted.cwd, settings)), worktree=wanted.worktree)
    task = Task(id=task_id, prompt=wanted.prompt, cwd=kept.cwd, model=wanted.model, mode=mode)
    isolation: Isolation = "worktree" if kept.worktree else "none"
    (task,) = await trio.to_thread.run_sync(placed, (task,), settings, isolation)
    await mailbox.insist("store", Remember(key=_key(session_id), value=msgspec.json.encode(kept).decode()), Done)
    own = replace(
        settings,
        session_id=session_id,
        resume=bool(wanted.session_id),
        model=wanted.model or settings.model,
        chosen=(*settings.chosen, "model") if wanted.model else settings.chosen,
        budgets=(*settings.budgets, *own_budgets(settings, session_id)),
        front=msgspec.Raw(b"\xc0"),
    )
    return Placed(task=task, settings=own)


def own_budgets(settings: Settings, session_id: str) -> tuple[Budget, ...]:
    """Of an earlier run's session, which counts among those of this one's tasks not at all."""
    if session_id.startswith(f"{settings.session_id}."):
        return ()
    return tuple(replace(budget, session_id=session_id, what="this session") for budget in settings.budgets)


def mode_of(wanted: RunTask, settings: Settings) -> Mode:
    """Raises Usage."""
    mode = settings.mode if wanted.mode is UNSET else wanted.mode
    if WIDTH[mode] > WIDTH[settings.mode]:
        raise Usage(
            f'mode "{mode}" is wider than "{settings.mode}", which this server was started with. Leave it out, or ask '
            f"the user to start the server with: trouper mcp serve --mode {mode}"
        )
    return mode


def folder(said: str, settings: Settings) -> Path:
    """Of the server, or below it. Raises Usage."""
    top = Path(settings.cwd)
    try:
        found = (top / said).resolve()
        is_there = found.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise Usage(f"cwd {said!r} is no folder: {error}") from error
    if not _is_below(found, top) or _is_below(found, Path(settings.home)):
        raise Usage(f"cwd {found} is not allowed. This server works in {top} and below; leave cwd out for {top}.")
    if not is_there:
        raise Usage(f"cwd {found}: there is no such folder.")
    return found


async def kept_place(mailbox: Mailbox, settings: Settings, session_id: str, *, anywhere: bool = False) -> Kept:
    """Of a session that is there, given by its whole id. anywhere: of any folder. Raises Usage, Failed."""
    unknown = Usage(f'there is no session "{session_id}" in {settings.cwd}. Find one with search_sessions.')
    try:
        sought = FindSession(said=session_id, everywhere=True)
        found = (await mailbox.insist("store", sought, Sessions)).sessions
    except Failed as failure:
        if failure.problem.code in ("unknown_session", "ambiguous_session"):
            raise unknown from failure
        raise
    recalled = (await mailbox.insist("store", Recall(key=_key(session_id)), Recalled)).value
    if [one.session_id for one in found] != [session_id]:
        raise unknown
    kept = msgspec.json.decode(recalled, type=Kept) if recalled else Kept(cwd=found[0].cwd, worktree=False)
    if not anywhere and not _is_below(Path(kept.cwd), Path(settings.cwd)):
        raise unknown  # in the same words: what there is elsewhere is not the client's to know
    return kept


def _check_same(wanted: RunTask, kept: Kept, top: Path) -> None:
    """Raises Usage."""
    if wanted.cwd and (top / wanted.cwd).resolve() != Path(kept.cwd).resolve():
        raise Usage(f"that session works in {kept.cwd}, and stays there. Leave cwd out.")
    if wanted.worktree and not kept.worktree:
        raise Usage("that session works in the folder itself, and stays there. Leave worktree out.")


def _is_below(path: Path, top: Path) -> bool:
    return path.resolve().is_relative_to(top.resolve())


def _key(session_id: str) -> str:
    return f"serve/{session_id}"

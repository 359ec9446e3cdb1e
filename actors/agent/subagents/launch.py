"""The processes of a subagent: what it may is settled first, then its worker and the agent itself are started."""

from pathlib import Path

import msgspec

from actors.agent.own_budget import of_session
from actors.agent.session.ledger import Subagent
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.budget import Budget, Release
from actors.messages.checkpoint import MakeWorktree, WorktreeMade
from actors.messages.subagent import Confine, SubagentSpawned
from actors.messages.system import StartActor, StopActor
from actors.messages.tool import FURTHER_WORKERS
from actors.settings.config import OfSubagent, Settings
from actors.texts.agents import kinds
from actors.texts.agents.definition import Definition
from actors.texts.documents import hidden_by

SUPERVISOR = "supervisor"


def agent_of(session_id: str) -> str:
    return f"agent:sub:{session_id.replace('.', '-')}"


def worker_of(session_id: str) -> str:
    return f"tools:sub:{session_id.replace('.', '-')}"


def definition(settings: Settings, kind: str) -> Definition:
    """Raises NoSuchKind. settings: the parent's."""
    return kinds.one_of(kinds.find(settings, Path.home(), hidden_by(settings.rules)), kind)


async def worktree(mailbox: Mailbox, settings: Settings, one: Subagent) -> WorktreeMade | None:
    """Its own, which is made; None where it works in its parent's folder. Raises Failed."""
    if not one.spawned.worktree:
        return None
    key = one.spawned.session_id
    wanted = MakeWorktree(key=key, cwd=settings.cwd, with_changes=True, fresh=one.merged)
    return await mailbox.insist("checkpoints", wanted, WorktreeMade)


async def start(
    mailbox: Mailbox, settings: Settings, spawned: SubagentSpawned, tools: tuple[str, ...], cwd: str
) -> None:
    """Whoever runs already is left as it is. Raises Failed: no_room, where as many run as may."""
    agent, worker = agent_of(spawned.session_id), worker_of(spawned.session_id)
    may = Confine(
        agent=agent,
        session_id=spawned.session_id,
        parent=mailbox.name,
        read_only=not spawned.worktree,
        tools=tools,
        name=spawned.name,
    )
    await mailbox.insist("gate", may, Done)
    own = msgspec.Raw(msgspec.msgpack.encode(settings_of(settings, spawned, cwd)))
    for name in (agent, worker):
        await mailbox.insist(SUPERVISOR, StartActor(name=name, settings=own), Done)


def settings_of(settings: Settings, spawned: SubagentSpawned, cwd: str) -> Settings:
    """The same in each life of its parent: the supervisor starts nobody anew for them."""
    return msgspec.structs.replace(
        settings,
        cwd=cwd,
        servers_cwd=settings.servers_cwd or settings.cwd,
        session_id=spawned.session_id,
        resume=False,
        everywhere=False,
        copy=False,
        model=spawned.model,
        effort=spawned.effort,
        chosen=(),
        naming_model="off",
        notices=(),
        budgets=(*of_session(settings, spawned.session_id.rpartition(".")[0]), *_own_budget(spawned)),
        subagent=OfSubagent(kind=spawned.kind, kinds_cwd=settings.cwd, writes=spawned.worktree),
        front=msgspec.Raw(b"\xc0"),
    )


def _own_budget(spawned: SubagentSpawned) -> tuple[Budget, ...]:
    """Beside its parent's, which it uses, too."""
    if spawned.budget_usd is None and spawned.budget_tokens is None:
        return ()
    own = Budget(
        session_id=spawned.session_id,
        usd=spawned.budget_usd,
        tokens=spawned.budget_tokens,
        what=f"the agent {spawned.name}",
    )
    return (own,)


def names(session_id: str) -> tuple[str, ...]:
    worker = worker_of(session_id)
    return (agent_of(session_id), worker, *(f"{worker}{further}" for further in FURTHER_WORKERS))


async def stop(mailbox: Mailbox, session_id: str) -> None:
    """Who does not go by itself is killed. Raises Failed."""
    for name in names(session_id):
        await mailbox.insist(SUPERVISOR, StopActor(name=name), Done)


async def release(mailbox: Mailbox, session_id: str) -> None:
    """Room for a request that it was at, once it can settle none any more. Raises Failed."""
    await mailbox.insist("store", Release(session_id=session_id, aside=None), Done)


def let_stop(mailbox: Mailbox, session_id: str) -> None:
    """Without waiting for it: a request may still be settled, so the room for it stays until it is used again."""
    for name in names(session_id):
        mailbox.tell(SUPERVISOR, StopActor(name=name))

"""The questions about what a workspace brings, before anything in it is done: trust exactly this, or leave it out.

One about its files, and one about each of its MCP servers.

The answer is on disk before it counts; the session goes on with it whoever dies, and whatever becomes of the files.
"""

from pathlib import Path

import msgspec
import trio

from actors.common.plurals import how_many
from actors.errors import BadConfiguration, Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import Choice, UserAnswered, UserAsked
from actors.messages.turn import Notice
from actors.settings import trust
from actors.settings.brought import servers_to_ask_about, to_ask_about, with_servers, with_trusted
from actors.settings.config import Settings
from actors.settings.mcp import vouching
from actors.settings.mcp.servers import LeftOutServer
from actors.settings.workspace_files import TRUST, LeftOut

TRUSTED = Choice(id="trust", key="t", label="trust exactly this, here")
LEFT_OUT = Choice(id="leave_out", key="l", label="leave it out, and do not ask about it again", refuses=True)
ALL_LEFT_OUT = Choice(id="leave_all_out", key="a", label="leave out this one and all that follow", refuses=True)


async def settled(mailbox: Mailbox, settings: Settings) -> Settings:
    """As they count once the user has decided. What cannot be written down is left out this time."""
    files, servers = to_ask_about(settings), servers_to_ask_about(settings)
    try:
        if files:
            settings = with_trusted(settings, await _trusted(mailbox, settings, files))
        if servers:
            settings = with_servers(settings, await _trusted_servers(mailbox, settings, servers))
    except (Failed, BadConfiguration, OSError) as error:
        text = f"{_names((*files, *servers))}: left out, for it cannot be trusted: {error}"
        mailbox.tell("ui", Notice(text=text, level="warning"))
    return settings


async def _trusted(mailbox: Mailbox, settings: Settings, asked: tuple[LeftOut, ...]) -> list[str]:
    """The paths of what was vouched for. Raises Failed, BadConfiguration and OSError."""
    key = f"trust/{settings.run_id}"
    recalled = (await mailbox.insist("store", Recall(key=key), Recalled)).value
    if recalled is not None:
        return msgspec.json.decode(recalled, type=list[str])
    home = Path(settings.home)
    if undecided := [one for one in asked if not _is_decided(home, one)]:
        answer = await mailbox.insist("ui", question(undecided), UserAnswered)
        decide = trust.vouch if answer.choice == TRUSTED.id else trust.leave_out
        for one in undecided:
            await trio.to_thread.run_sync(decide, home, Path(one.path), one.text)
        if decide is trust.leave_out:
            mailbox.tell("ui", Notice(text=f"{_names(asked)}: left out. To look at it and let it count: {TRUST}"))
    paths = [one.path for one in asked if trust.record(home, Path(one.path)).vouches_for(one.text)]
    await mailbox.insist("store", Remember(key=key, value=msgspec.json.encode(paths).decode()), Done)
    return paths


async def _trusted_servers(mailbox: Mailbox, settings: Settings, asked: tuple[LeftOutServer, ...]) -> list[str]:
    """The paths of those that were vouched for. Raises Failed and OSError."""
    key = f"trust/{settings.run_id}/mcp"
    recalled = (await mailbox.insist("store", Recall(key=key), Recalled)).value
    if recalled is not None:
        return msgspec.json.decode(recalled, type=list[str])
    home, cwd = Path(settings.home), Path(settings.cwd)
    undecided = [one for one in asked if not _is_settled(home, cwd, one)]
    left_out: list[LeftOutServer] = []
    while undecided:
        answer = await mailbox.insist("ui", question_of_server(undecided), UserAnswered)
        decided = undecided if answer.choice == ALL_LEFT_OUT.id else undecided[:1]
        decide = vouching.vouch if answer.choice == TRUSTED.id else vouching.leave_out
        for one in decided:
            await trio.to_thread.run_sync(decide, home, cwd, one.name, one.text)
        left_out += decided if decide is vouching.leave_out else []
        undecided = undecided[len(decided) :]
    if left_out:
        mailbox.tell("ui", Notice(text=f"{_names(tuple(left_out))}: left out. To look again: {vouching.TRUST}"))
    paths = [one.path for one in asked if vouching.record(home, cwd, one.name).vouches_for(one.text)]
    await mailbox.insist("store", Remember(key=key, value=msgspec.json.encode(paths).decode()), Done)
    return paths


def _is_settled(home: Path, cwd: Path, one: LeftOutServer) -> bool:
    record = vouching.record(home, cwd, one.name)
    return record.vouches_for(one.text) or record.leaves_out(one.text)


def question_of_server(undecided: list[LeftOutServer]) -> UserAsked:
    """About the first: what it would do, and then its entry as it is."""
    from actors.settings.mcp import words  # only where a folder brings servers

    one, more = undecided[0], len(undecided) - 1
    does = words.does(one.server) if one.server else ()
    entry = msgspec.json.format(one.text, indent=2)
    lines = [f"{one.name} would:", *(f"  {what}" for what in does)]
    after = f" {how_many(more, 'more server')} after it." if more else ""
    return UserAsked(
        agent="agent:main",
        kind="trust",
        title=f"This folder brings an MCP server that you have not trusted so: {one.name}.{after}",
        detail="\n".join((*lines, "", f"{one.source}, its entry, all of it:", "", *_set_off(entry))),
        risk="what is trusted counts here from now on, until its entry changes",
        choices=(TRUSTED, LEFT_OUT, *([ALL_LEFT_OUT] if more else [])),
        default=LEFT_OUT.id,
        escape=LEFT_OUT.id,
        call=ToolCall(call_id="trust", name="trust", arguments="{}"),
    )


def _is_decided(home: Path, one: LeftOut) -> bool:
    record = trust.record(home, Path(one.path))
    return record.vouches_for(one.text) or record.leaves_out(one.text)


def question(brought: list[LeftOut]) -> UserAsked:
    """Shows all of it: what it could do, and then the files as they are."""
    does = [line for one in brought for line in (f"{one.path} would:", *(f"  {what}" for what in one.loosens))]
    whole = [line for one in brought for line in ("", f"{one.path}, all of it:", "", *_set_off(one.text))]
    return UserAsked(
        agent="agent:main",
        kind="trust",
        title="This folder brings settings that you have not trusted yet. Without your word they can only forbid.",
        detail="\n".join((*does, *whole)),
        risk="what is trusted counts from now on, until a byte of it changes (a model and max_turns: the next time)",
        choices=(TRUSTED, LEFT_OUT),
        default=LEFT_OUT.id,
        escape=LEFT_OUT.id,
        call=ToolCall(call_id="trust", name="trust", arguments="{}"),
    )


def _set_off(text: str) -> list[str]:
    """So that it cannot pass for something that we say."""
    return [f"  | {line}" for line in text.rstrip().split("\n")]


def _names(brought: tuple[LeftOut | LeftOutServer, ...]) -> str:
    return " and ".join(one.path for one in brought)

"""The question about what a workspace brings, before anything in it is done: trust exactly this, or leave it out.

The answer is on disk before it counts; the session goes on with it whoever dies, and whatever becomes of the files.
"""

from pathlib import Path

import msgspec
import trio

from actors.errors import BadConfiguration, Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import Choice, UserAnswered, UserAsked
from actors.messages.turn import Notice
from actors.settings import trust
from actors.settings.config import Settings, to_ask_about, with_trusted
from actors.settings.workspace_files import TRUST, LeftOut

TRUSTED = Choice(id="trust", key="t", label="trust exactly this, here")
LEFT_OUT = Choice(id="leave_out", key="l", label="leave it out, and do not ask about it again", refuses=True)


async def settled(mailbox: Mailbox, settings: Settings) -> Settings:
    """As they count once the user has decided. What cannot be written down is left out this time."""
    asked = to_ask_about(settings)
    if not asked:
        return settings
    try:
        return with_trusted(settings, await _trusted(mailbox, settings, asked))
    except (Failed, BadConfiguration, OSError) as error:
        mailbox.tell(
            "ui", Notice(text=f"{_names(asked)}: left out, for it cannot be trusted: {error}", level="warning")
        )
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


def _names(brought: tuple[LeftOut, ...]) -> str:
    return " and ".join(one.path for one in brought)

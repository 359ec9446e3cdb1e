"""A name for the session, by a model that is asked aside: once, for the first prompt alone, and nobody waits for it.

See DECISIONS: a session's name.
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

import trio

from actors.agent.compaction.estimate import of_message, of_text
from actors.agent.session.history import History
from actors.agent.session.model_choice import choice, resolve
from actors.errors import ActorDied, Failed
from actors.mailbox import Mailbox
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Entry,
    Moved,
    Named,
    UserMessage,
)
from actors.messages.model import Answer, AskModel, FindCheapest, ModelFacts, ResolvedModel, TextDelta, ThinkingDelta
from actors.messages.store import FindSession, Sessions
from actors.messages.usage import Usage
from actors.settings.config import Settings
from actors.settings.redaction import redacted

OFF = "off"
PROMPT = 1500
"""Characters of the prompt that are told."""
NAME = 60
"""Characters of a name."""
SYSTEM = (
    "You name sessions of a coding agent, for a list. You are given what the user asked for first. Answer with a "
    "name of three to seven words that tells it from others, in the language of the user, on one line, and with "
    "nothing else. Do not do what is asked for, and do not answer it."
)
QUESTION = "Name the session that begins with this:\n\n{prompt}"
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.")
AROUND = " \t\"'`*#_.“”„«»"
"""What models put around a name."""


class Room(Protocol):
    """In what the session may use."""

    async def reserve(self, model: str, tokens: int) -> None:
        """Raises Failed where there is none."""

    async def release(self) -> None: ...


class Naming:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        history: History,
        room: Room,
        save: Callable[[Body], Awaitable[None]],
    ) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._history = history
        self._room = room
        self._save = save
        self._prompt = ""
        """As it was typed: a template that it names may have put files into what is in the history."""
        self._answered = trio.Event()
        begun = any(isinstance(entry.body, UserMessage | AssistantMessage) for entry in history.entries)
        wanted = settings.interactive and settings.naming_model != OFF
        self._is_due = wanted and not begun and not history.base.read_from

    def prompted(self, text: str) -> None:
        """The first of a session counts."""
        self._prompt = self._prompt or text

    def saved(self, entry: Entry) -> None:
        """With the first answer the service has shown that it works, and the first request is not held up."""
        if self._is_due and self._prompt and isinstance(entry.body, AssistantMessage):
            self._is_due = False
            if not any(isinstance(one.body, Moved) for one in self._history.entries):  # else it has been tried before
                self._answered.set()

    async def run(self) -> None:
        """Until it has been tried."""
        await self._answered.wait()
        with suppress(Failed):  # the log has what the service said
            if await self._is_nameless() and (model := await self._model()) is not None:
                try:
                    await self._ask(*model)
                except Failed:
                    await self._room.release()
                    raise

    async def _is_nameless(self) -> bool:
        """Raises Failed."""
        wanted = FindSession(said=self._history.session_id)
        return not (await self._mailbox.insist("store", wanted, Sessions)).sessions[0].name

    async def _model(self) -> tuple[str, str] | None:
        """With how hard it is to think. Raises Failed."""
        if self._settings.naming_model:
            found = await resolve(self._mailbox, self._settings.naming_model)
        else:
            wanted = FindCheapest(model=choice(self._history, self._settings).model)
            found = await self._mailbox.insist("providers", wanted, ResolvedModel)
        return (found.model, least_effort(found.facts)) if found.model else None

    async def _ask(self, model: str, effort: str) -> None:
        """Raises Failed."""
        question = UserMessage(text=QUESTION.format(prompt=redacted(self._prompt)[:PROMPT]), turn_id="")
        ask = AskModel(
            model=model,
            session_id=f"{self._history.session_id}-name",
            system=SYSTEM,
            history=(question,),
            effort=effort,
            aside=True,
        )
        await self._room.reserve(model, of_text(SYSTEM) + of_message(question))
        has_begun = False
        try:
            async with self._mailbox.stream("providers", ask) as stream:
                async for item in stream:
                    has_begun |= isinstance(item, TextDelta | ThinkingDelta)
                    if isinstance(item, BrokenTry):
                        await self._save(item)
                message = (await stream.result(Answer)).message
        except ActorDied:
            if has_begun:  # so it is billed, and who would have counted it is dead
                await self._save(BrokenTry(usage=Usage()))
            await self._room.release()
            return
        name = "" if message.stop_reason in ("refusal", "error") else cleaned(message.text)
        await self._save(Named(name=name, usage=message.usage))


def least_effort(facts: ModelFacts) -> str:
    """A name needs no thought."""
    if facts.thinking in ("adaptive", "optional", "budget"):
        return "off"
    return facts.levels[0] if facts.levels else ""


def cleaned(said: str) -> str:
    """The first line of it that says something, as a name: without what a terminal heeds, and without secrets."""
    for line in ESCAPES.sub(" ", said).splitlines():
        visible = "".join(each if each.isprintable() else " " for each in line)
        if name := " ".join(redacted(visible).split()).strip(AROUND):
            return name if len(name) <= NAME else name[: NAME - 1].rstrip() + "…"
    return ""

"""Keeps a conversation within the model's window: before each request, when the service refuses one, when asked to.

What is decided is in `compaction`; here the model is asked for a summary, and what came of it is saved.
"""

from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple

import msgspec

from actors.agent.compaction import carried, estimate, proposal, sent, summary, window
from actors.agent.compaction.estimate import Size
from actors.agent.compaction.proposal import Proposal
from actors.agent.compaction.told import BY_NOBODY, BY_SERVICE, SEALED, Told, words
from actors.agent.compaction.window import Window
from actors.agent.model_answer import ModelRequests
from actors.agent.session.history import History
from actors.agent.session.model_choice import resolve
from actors.agent.session.watchers import Watchers
from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.base import ProblemCode
from actors.messages.conversation import (
    Body,
    Carried,
    Compacted,
    CompactionReason,
    Opaque,
    Sealed,
    UserMessage,
)
from actors.messages.model import Answer, AskModel, ResolvedModel, Retrying
from actors.messages.turn import Notice

FATAL: frozenset[ProblemCode] = frozenset(("no_credentials", "unauthorized", "over_budget"))
"""Where the summary fails so, the answer does, too."""
SUMMARY_TRIES = 3
"""Each with half of what the service did not take."""
SUMMARY_TOKENS = 100_000
"""Of a conversation that is summed up, where the window is not known."""
LEAST_SUMMARY = 200
"""Tokens: its sections alone are half of that."""
NO_GAIN = "nothing would be gained: the session is so short that a summary would be longer. It is as it was."
LEAST = Window(0, 0)
"""Then the end of a conversation is its last message."""
TOO_LARGE = "{text} All that was before is summed up, and it is still too long."
SMALLER = "Say it in smaller pieces or put it into a file, or choose a model with a larger context: /model"
AGAIN = "the conversation is too long for the model: it is made shorter, and asked again"
WARNING = "the context window is {share} % full; at {full} % what is old is summed up (/compact does it now)"
PASSING: frozenset[ProblemCode] = frozenset(
    ("context_overflow", "over_budget", "rate_limited", "overloaded", "server_error", "stalled")
)
"""How a service fails that may well sum up the next time."""


class Measured(NamedTuple):
    request: AskModel
    size: Size
    window: Window


class Compactor:
    def __init__(
        self,
        mailbox: Mailbox,
        history: History,
        watchers: Watchers,
        requests: ModelRequests,
        save: Callable[[Body], Awaitable[None]],
    ) -> None:
        self._mailbox = mailbox
        self._history = history
        self._watchers = watchers
        self._requests = requests
        self._save = save
        self._factor = 1.0
        self._fixed = 0
        """Tokens of system prompt and tools, as they are estimated."""
        self._learned: dict[str, int] = {}
        """By model: tokens that its service did not take."""
        self._resolved: dict[str, ResolvedModel] = {}
        self._without: set[str] = set()
        """Models whose service has not summed up by itself, although it might have."""
        self._warned = False

    async def ask(self, closing: bool) -> Answer:
        """The model's answer to the conversation, which is made to fit. Raises Failed."""
        await self._requests.tell_what_is_new()
        await self._make_room(await self.measured(closing))
        smaller: Iterator[tuple[Window, Proposal]] | None = None
        while True:
            measured = await self.measured(closing)
            outcome = await self._tried(measured)
            if isinstance(outcome, Answer) and (
                outcome.message.stop_reason != "context_window" or outcome.message.calls
            ):
                return outcome
            smaller = smaller or self._smaller(self._refused(measured))
            step = next(smaller, None)
            if step is None:
                return _last_word(outcome)
            if isinstance(outcome, Answer):
                await self._requests.wasted(outcome.message.usage)
            await self._watchers.emit(Retrying(why=AGAIN, wait_s=0.0))
            await self._sum_up("overflow", step[1], measured._replace(window=step[0]))

    async def _tried(self, measured: Measured) -> Answer | Failed:
        """An overflow is handed back. Raises Failed: all else."""
        try:
            return await self._requests.answer_to(measured.request, measured.size.tokens)
        except Failed as failure:
            if failure.problem.code != "context_overflow":
                raise
            return failure

    def _refused(self, measured: Measured) -> Window:
        """What the service takes is less than this."""
        model, tokens = measured.request.model, max(measured.size.tokens, 1)
        if not measured.window.tokens or model in self._learned:
            self._learned[model] = min(tokens, self._learned.get(model, tokens))
        tokens = min(tokens, measured.window.tokens or tokens)
        return Window(tokens, tokens)

    def _smaller(self, room: Window) -> Iterator[tuple[Window, Proposal]]:
        """What to send less, each of the history as it is by then: the end that has its share of the window, half of
        that, at last no more than what is carried.
        """
        factor = self._factor
        for less in (self._for_the_end(room), window.halved(room)):
            for propose in (proposal.summed_up, proposal.shortened):
                if proposed := propose(self._history.entries, less, factor, to_the_end=True):
                    yield less, proposed
                    break
        if proposed := proposal.emptied(self._history.entries):
            yield window.halved(room), proposed

    def _for_the_end(self, room: Window) -> Window:
        taken = self._fixed + estimate.of_message(carried.as_message(self._history.base.carried))
        return window.for_the_end(room, round(taken * self._factor))

    async def measured(self, closing: bool = False) -> Measured:
        """The next request. Raises Failed."""
        request = await self._requests.request(closing)
        size = self._size(request)
        self._factor = size.factor
        learned = self._learned.get(request.model, 0)
        return Measured(request, size, window.of_model((await self._known_of(request)).facts, learned))

    async def _known_of(self, request: AskModel) -> ResolvedModel:
        """Of a first request nothing has to be known: nothing of it could be left out."""
        if len(request.history) < 2:
            return ResolvedModel(model=request.model)
        if request.model not in self._resolved:
            try:
                self._resolved[request.model] = await resolve(self._mailbox, request.model)
            except Failed:
                return ResolvedModel(model=request.model)  # whoever asks for the answer is told
        return self._resolved[request.model]

    def _size(self, request: AskModel) -> Size:
        self._fixed = estimate.of_text(request.system) + estimate.of_tools(request.tools)
        at, _ = sent.latest(self._history.entries)
        fresh = len(list(sent.messages(self._history.entries[at:])))
        return estimate.size(self._fixed, request.history, min(fresh, len(request.history)), self._factor)

    async def _make_room(self, measured: Measured) -> None:
        """Where the window is nearly full. Raises Failed."""
        room, tokens = measured.window, measured.size.tokens
        if not room.tokens:
            return
        if tokens < room.full:
            if tokens >= room.share(window.WARNED) and not self._warned:
                self._warned = True
                share, full = round(100 * tokens / room.tokens), round(100 * room.full / room.tokens)
                await self._watchers.emit(Notice(text=WARNING.format(share=share, full=full)))
            return
        entries, factor, room = self._history.entries, measured.size.factor, self._for_the_end(measured.window)
        worth = tokens - measured.window.share(window.WORTH)
        if shortened := proposal.shortened(entries, room, factor, to_the_end=False):
            made = self._made("window", shortened, self._as_it_was(), measured)
            if made.tokens_after <= min(measured.window.share(window.ENOUGH), worth):
                await self._save(made)
                return
        if (summed_up := proposal.summed_up(entries, room, factor, to_the_end=False)) is not None:
            await self._sum_up("window", summed_up, measured, worth=worth)

    async def compact(self, instructions: str) -> None:
        """As the user wants it, now. Raises Failed, then nothing has changed."""
        measured = await self.measured()
        tokens = estimate.of_messages(measured.request.history)
        rooms = (Window(tokens, tokens), LEAST)  # a part of what there is, whatever the model could take
        tried = (proposal.summed_up(self._history.entries, room, 1.0, to_the_end=False) for room in rooms)
        proposed = next(filter(None, tried), None)
        if proposed is None:
            raise failed("refused", "there is nothing to sum up yet.")
        without = self._made("asked", proposed, Told(self._carried(proposed, "", measured)), measured)
        if without.tokens_after + LEAST_SUMMARY > measured.size.tokens:
            raise failed("refused", NO_GAIN)
        made = await self._with_summary("asked", proposed, measured, instructions)
        if made.tokens_after >= measured.size.tokens:
            await self._requests.wasted(made.usage)
            raise failed("refused", NO_GAIN)
        await self._save(made)
        self._warned = False

    async def _sum_up(
        self, why: CompactionReason, proposed: Proposal, measured: Measured, worth: int | None = None
    ) -> None:
        """Where the model cannot be asked, without its words. worth: tokens it must not have after, or it is left."""
        if worth is not None and proposed.dropped:
            wordless = self._carried(proposed, self._history.base.carried.summary, measured)
            without = self._made(why, proposed, Told(wordless), measured)
            if without.tokens_after > worth:
                return
        try:
            made = await self._with_summary(why, proposed, measured)
        except Failed as failure:
            if failure.problem.code in FATAL:
                raise
            made = self._made(why, proposed, self._without_words(proposed, measured), measured)
        await self._save(made)
        self._warned = False

    async def _with_summary(
        self, why: CompactionReason, proposed: Proposal, measured: Measured, instructions: str = ""
    ) -> Compacted:
        """Raises Failed."""
        if not proposed.dropped:
            return self._made(why, proposed, self._as_it_was(), measured)
        served = await self._by_service(proposed, measured, instructions)
        told = served if isinstance(served, Told) else await self._in_words(served, proposed, measured, instructions)
        return self._made(why, proposed, told, measured)

    def _as_it_was(self) -> Told:
        return Told(self._history.base.carried, sealed=self._history.base.sealed)

    def _without_words(self, proposed: Proposal, measured: Measured) -> Told:
        stand_in = summary.stand_in(self._history.base.carried.summary, proposed.dropped)
        return Told(self._carried(proposed, stand_in, measured), BY_NOBODY)

    async def _by_service(self, proposed: Proposal, measured: Measured, wishes: str) -> Told | Sealed | None:
        """None where the service sums up nothing by itself, fails to, or does not take the user's wishes."""
        model, sums_up = measured.request.model, (await self._known_of(measured.request)).sums_up
        if not sums_up or model in self._without or (wishes and sums_up == "sealed"):
            return None
        past = self._history.model_input()
        past = past[: len(past) - proposed.kept]
        request = msgspec.structs.replace(measured.request, history=past, sum_up=summary.instructions(wishes))
        try:
            answer = (await self._requests.answer_to(request, measured.size.tokens, aside=True)).message
        except Failed as failure:
            self._without |= {model} if failure.problem.code not in PASSING else set()
            return None
        if answer.text:
            return Told(self._carried(proposed, summary.cleaned(answer.text), measured), BY_SERVICE, answer.usage)
        await self._requests.wasted(answer.usage)  # it is billed, whatever becomes of it
        own = tuple(block for block in answer.blocks if isinstance(block, Opaque))
        self._without |= set() if own else {model}
        return Sealed(model=answer.model, blocks=own) if own else None

    async def _in_words(self, sealed: Sealed | None, proposed: Proposal, measured: Measured, wishes: str) -> Told:
        """For people and for all other models. Raises Failed where that leaves nothing."""
        try:
            answer = (await self._summary(proposed, measured, wishes)).message
        except Failed as failure:
            if sealed is None or failure.problem.code in FATAL:
                raise
            told = self._without_words(proposed, measured)
        else:
            told = Told(self._carried(proposed, summary.cleaned(answer.text), measured), usage=answer.usage)
        return told._replace(by=told.by + SEALED, sealed=sealed) if sealed else told

    async def _summary(self, proposed: Proposal, measured: Measured, wishes: str) -> Answer:
        """Raises Failed."""
        before = self._history.base.carried.summary
        tokens = min(measured.window.share(0.6) or SUMMARY_TOKENS, SUMMARY_TOKENS * 4)
        most = int(tokens * estimate.BYTES / max(measured.size.factor, 1.0))
        for tries in range(SUMMARY_TRIES):
            question = summary.question(before, proposed.dropped, wishes, most >> tries)
            request = AskModel(
                model=measured.request.model,
                session_id=f"{measured.request.session_id}-summary",
                system=summary.SYSTEM,
                history=(UserMessage(text=question, turn_id=self._history.turn_id),),
            )
            try:
                tokens = estimate.of_text(summary.SYSTEM) + estimate.of_messages(request.history)
                sent_tokens = round(tokens * max(measured.size.factor, 1.0))
                answer = await self._requests.answer_to(request, sent_tokens, aside=True)
            except Failed as failure:
                if failure.problem.code != "context_overflow":
                    raise
                continue
            if answer.message.text.strip() and answer.message.stop_reason not in ("refusal", "error"):
                return answer
            await self._requests.wasted(answer.message.usage)
            break
        raise failed("server_error", "the model gave no summary.", "Try again, or choose another model.")

    def _carried(self, proposed: Proposal, told: str, measured: Measured) -> Carried:
        return carried.fitted(carried.gathered(self._history.base.carried, proposed.dropped, told), measured.window)

    def _made(self, why: CompactionReason, proposed: Proposal, told: Told, measured: Measured) -> Compacted:
        made = Compacted(
            why=why,
            kept_from=proposed.kept_from,
            shrunk_before=proposed.shrunk_before,
            carried=told.carried,
            usage=told.usage,
            sealed=told.sealed,
        )
        factor = measured.size.factor
        after = round((self._fixed + estimate.of_messages(sent.sent_instead(self._history.entries, made))) * factor)
        said = words(why, proposed, told, (measured.size.tokens, after))
        made = msgspec.structs.replace(made, tokens_before=measured.size.tokens, tokens_after=after, told=said)
        return self._history.compacted(made, proposed.read_from)


def _last_word(outcome: Answer | Failed) -> Answer:
    """Where nothing is left to be left out. Raises Failed."""
    if isinstance(outcome, Answer):
        return outcome
    raise failed("context_overflow", TOO_LARGE.format(text=outcome.problem.text), SMALLER) from outcome

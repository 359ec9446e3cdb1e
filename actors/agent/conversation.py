"""One session that is open: its history, who watches it, and the loop's ways out, put together."""

from collections.abc import Callable, Sequence

import msgspec
import trio

from actors.agent import named_hosts, rewind
from actors.agent.calls.shell_commands import ShellCommands
from actors.agent.calls.tool_call import ToolCalls, Ways
from actors.agent.calls.typed_commands import TypedCommands
from actors.agent.compaction import parts, sent
from actors.agent.compactor import Compactor
from actors.agent.hook_moments import Hooks
from actors.agent.model_answer import ModelRequests
from actors.agent.own_budget import OwnBudget, of_session
from actors.agent.prompt_additions import SessionStart
from actors.agent.prompt_checkpoints import PromptCheckpoints
from actors.agent.session import told
from actors.agent.session.history import EndTurn, History
from actors.agent.session.journal import Journal
from actors.agent.session.model_choice import choice, model_is, not_taken, resolve, switched, to_record
from actors.agent.session.naming import Naming
from actors.agent.session.queue import said
from actors.agent.session.watchers import Watchers
from actors.agent.subagents.board import Board
from actors.agent.subagents.calls import AgentCalls, results_of_cancelled
from actors.agent.subagents.orders import Order, brief, carried_out, end_of, from_outside
from actors.agent.subagents.stay import stay
from actors.agent.subagents.subagents import Subagents
from actors.agent.turn import Ports, heal, run_turn
from actors.common.attachments import light_entry
from actors.common.doors.words import Ordered
from actors.common.final_answer import answer_of
from actors.errors import Failed, failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message, PromptsWithdrawn
from actors.messages.budget import RaiseBudget, ShowBudget
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    CallStarted,
    Entry,
    PromptQueued,
    Text,
    ToolCall,
    ToolResult,
)
from actors.messages.subagent import CancelSubagent, MergeSubagent, ShowChanges, SteerSubagent, SubagentIs, SubagentsAre
from actors.messages.tool import Authorise, OfferTools, Tools
from actors.messages.turn import (
    CaughtUp,
    Context,
    DescribeContext,
    EntryAdded,
    Event,
    ModelIs,
    Notice,
    Prompt,
    RunShell,
    Scope,
    SetModel,
    Subscribe,
    WithdrawPrompts,
)
from actors.settings.config import Settings
from actors.spending_limit import SpendingLimit

NOT_SENT = "interrupted: the prompt was not sent. What commands in it have done until then stays."
WITHDRAWN = "it was taken back before it came."
NOT_RUN = "this was not run, for its start could not be written down: {why}"
AnsweredBeside = DescribeContext | ShowBudget | RaiseBudget | RunShell | WithdrawPrompts | Order
"""Whether a turn runs or not."""


class Conversation:
    def __init__(self, mailbox: Mailbox, settings: Settings, history: History) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self.history = history
        self.watchers = Watchers()
        self.journal = Journal(mailbox, history, self._added)
        self.hooks = Hooks(mailbox, settings, history.session_id, self.journal.save)
        self._session_start = SessionStart(mailbox, settings, self.hooks)
        self._model_requests = ModelRequests(mailbox, settings, history, self.watchers, self.journal)
        self._checkpoints = PromptCheckpoints(mailbox, settings, history, self.watchers)
        self.commands = TypedCommands(mailbox, settings, history.session_id, self.hooks, self._checkpoints)
        self._shell = ShellCommands(mailbox, history, self.watchers, self.hooks, self.journal.save)
        self._board = Board(self.watchers, self._standing)
        self.subagents = Subagents(mailbox, settings, history, self.journal, self._board)
        self._agent_calls = AgentCalls(self.subagents, self._checkpoints.before_writing)
        self._compactor = Compactor(mailbox, history, self.watchers, self._model_requests, self.journal.save)
        self._own_budget = OwnBudget(mailbox, settings, history, self.journal)
        budgets = of_session(settings, history.session_id)
        room = SpendingLimit(mailbox, history.session_id, budgets, self.journal.save, aside=True)
        self.naming = Naming(mailbox, settings, history, room, self.journal.save)
        tool_calls = ToolCalls(
            mailbox, self.watchers, self.hooks, Ways(self._wanted, self._write_down, self._agent_calls.run)
        )
        self._ports = Ports(
            ask_model=self._compactor.ask,
            run_call=tool_calls.run,
            runs_beside=self._runs_beside,
            before_end=self._before_end,
            save=self.journal.save,
            save_soon=self.journal.save_soon,
        )

    async def run(self) -> None:
        """What goes on beside the turns, for as long as the session is open."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.journal.run)
            nursery.start_soon(self._session_start.look)
            nursery.start_soon(self.naming.run)
            nursery.start_soon(self.subagents.run)
            nursery.start_soon(self._board.run)
            nursery.start_soon(self._shell.run)

    def offer_changed(self) -> None:
        self._model_requests.offer_changed()

    async def take_turn(self) -> None:
        """The open turn to its end. Raises Failed. Cancelled, it leaves the turn open."""
        await self._model_requests.begin_turn(self._session_start.sections)
        await run_turn(self.history, self._ports, self._settings.max_turns)
        self._checkpoints.turn_over()

    async def checked(self, prompt: Prompt) -> tuple[Prompt, tuple[Body, ...]]:
        """As its template and hooks have left it, and what is to be saved with it. Raises Failed.

        A prompt the model cannot take is not accepted: it would spoil every later request.
        """
        if prompt.attachments:
            found = await resolve(self._mailbox, choice(self.history, self._settings).model)
            if names := not_taken(found.facts, prompt.attachments):
                text = f"{found.model} does not take {', '.join(names)}."
                raise failed("bad_request", text, "Choose a model that does: trouper models shows them.")
        filled = await self.commands.expanded(prompt, self.hooks.prompt)
        if filled.cancelled:
            raise failed("refused", NOT_SENT)
        if filled.refusal is not None:
            if filled.recorded:  # what its commands have done stays, and can be taken back
                self._checkpoints.turn_over()
                self.journal.save_soon(*filled.recorded)
            raise filled.refusal
        return msgspec.structs.replace(prompt, text=filled.text), filled.recorded

    async def end_commands(self) -> None:
        """Of templates and of the user's own, and hooks of prompts. What was done stays, though who ends them leaves.

        Raises Failed.
        """
        await self._shell.cancel()
        if recorded := await self.commands.cancel():
            self._checkpoints.turn_over()
            await self.journal.save(*recorded)

    def followed_by(self, history: History) -> "Conversation":
        """At another place of the session, or in another one."""
        history.left = self.history.left | self.history.answered
        return Conversation(self._mailbox, self._settings, history)

    async def accept(self, prompt: Prompt, *recorded: Body) -> str:
        """The turn it belongs to. recorded: goes with it. Raises Failed."""
        history, journal = self.history, self.journal
        if prompt.prompt_id in history.queue.withdrawn:
            raise failed("refused", WITHDRAWN)
        if turn_id := history.turn_of(prompt.prompt_id):
            await journal.save()
            return turn_id
        queued = PromptQueued(
            prompt_id=prompt.prompt_id,
            text=prompt.text,
            attachments=prompt.attachments,
            quoted=(*prompt.quoted, *history.shell.quotations),
            kind=prompt.kind,
        )
        if turn_id := history.turn_id:
            await journal.save(queued, *recorded)
            return history.turn_of(prompt.prompt_id) or turn_id
        message = said(queued, prompt.prompt_id)
        await journal.save(*to_record(history, self._settings), message, *recorded)
        return prompt.prompt_id

    def begin_next(self) -> bool:
        """A turn is open: where none was, of the prompt that has waited longest."""
        history = self.history
        if not history.turn_id and (waiting := history.queue.next):
            self.journal.save_soon(said(waiting[0], waiting[0].prompt_id))
        return bool(history.turn_id)

    def withdraw(self, prompt_ids: Sequence[str]) -> PromptsWithdrawn:
        """Those that are nobody's but the user's from now on, which is on disk with what is saved next."""
        queue, answered = self.history.queue, self.history.answered
        if back := queue.may_come_back(prompt_ids, answered):
            self.journal.save_soon(PromptsWithdrawn(prompt_ids=back))
        return PromptsWithdrawn(prompt_ids=tuple(one for one in prompt_ids if one in queue.withdrawn))

    def withdraw_all(self) -> None:
        """The session is left."""
        self.withdraw([one.prompt_id for one in (*self.history.queue.steers, *self.history.queue.next)])

    async def compact(self, instructions: str) -> None:
        """Raises Failed, then nothing has changed."""
        await self._model_requests.begin_turn(self._session_start.sections)
        await self._compactor.compact(instructions)

    async def nothing_under_way(self) -> None:
        """A request that was cancelled holds no room in a budget any more."""
        await self._model_requests.left()

    async def set_model(self, wanted: SetModel) -> ModelIs:
        """From the next request on. Raises Failed."""
        chosen, facts = await switched(self._mailbox, wanted, choice(self.history, self._settings))
        await self.journal.save(chosen)
        return model_is(chosen, facts, self.history)

    async def path(self) -> list[Entry]:
        """All of it, also what a compaction has carried. Raises Failed."""
        await self.journal.save()
        return await rewind.path(self._mailbox, self.history.session_id)

    async def answer(self, wanted: AnsweredBeside) -> Message:
        """Raises Failed."""
        match wanted:
            case DescribeContext():
                return await self._context()
            case WithdrawPrompts(prompt_ids=prompt_ids):
                withdrawn = self.withdraw(prompt_ids)
                await self.journal.save()
                return withdrawn
            case ShowBudget() | RaiseBudget():
                return await self._own_budget.answer(wanted)
            case RunShell():
                await self._shell.begin(wanted)
                return Done()
            case SteerSubagent() | CancelSubagent() | ShowChanges() | MergeSubagent():
                return await carried_out(self.subagents, wanted, self._before_merge)

    async def _context(self) -> Context:
        """Raises Failed."""
        if not self.history.turn_id:
            await self._model_requests.begin_turn(self._session_start.sections)
        measured = await self._compactor.measured()
        request, sections = measured.request, self._model_requests.sections
        carried = len(sent.instead(self.history.base))
        listed = parts.parts(request.system, sections, request.tools, request.history, carried=carried)
        return Context(model=request.model, window=measured.window.tokens, parts=parts.scaled(listed, measured.size))

    async def close_turn(self, end: EndTurn, scope: Scope) -> None:
        """What a cancelled turn has said is kept, every call gets its result. Raises Failed.

        scope: of what subagents end with it.
        """
        await self.journal.save()  # an answer that is whole and only waits for the disk is not open any more
        if said := self.watchers.open_text:
            model = choice(self.history, self._settings).model
            message = AssistantMessage(blocks=(Text(text=said),), stop_reason="cancelled", model=model)
            await self.journal.save(message)
        await self.subagents.cancel(one for one in self.subagents.unfinished if scope == "tree" or not one.background)
        await self.journal.save(*results_of_cancelled(self.subagents, self.history.open_turn))
        await self.nothing_under_way()
        await heal(self.history, self._ports, end)
        self._checkpoints.turn_over()

    async def attend(self, wanted: Subscribe, request: Request, is_busy: Callable[[], bool]) -> None:
        """Raises Failed."""
        asked = OfferTools(session_id=self.history.session_id, anew=True)
        offered = await self._mailbox.insist("gate", asked, Tools)
        stored = await told.stored(self._mailbox, self.history.session_id) if wanted.only_end else 0
        await self.watchers.attend(request, self._told_first(wanted, offered, stored, busy=is_busy()))

    def _told_first(self, wanted: Subscribe, offered: Tools, stored: int, *, busy: bool) -> list[Event]:
        """What somebody is told who subscribes. stored: entries that the session has."""
        saved = self.journal.saved
        place = told.place(saved, wanted)
        entries, (used, latest) = saved[place:], told.used(entry.body for entry in saved[:place])
        knows = self._has(wanted.after)
        info = msgspec.structs.replace(
            told.session_info(self.history, offered, self._settings, busy=busy),
            used=self.history.base.used + used,
            latest=latest,
            goes_on=knows or not wanted.after,
            earlier=0 if knows else told.untold(stored, entries),
        )
        taken_up = [Notice(text=offered.taken_up, level="warning")] if offered.taken_up and not knows else []
        standing = [SubagentsAre(subagents=each)] if (each := self.subagents.standing()) else []
        queue = told.queue(saved)
        return [info, *told.additions(entries), *standing, *queue, CaughtUp(), *taken_up]

    def _has(self, entry_id: str) -> bool:
        """On disk, on the path that the session is on."""
        return told.after(self.journal.saved, entry_id) > 0

    def _added(self, entry: Entry) -> None:
        self.naming.saved(entry)
        self.subagents.saved(entry)
        if told.is_watched(entry):
            self.watchers.put(EntryAdded(entry=light_entry(entry)))

    def _runs_beside(self, call: ToolCall) -> bool:
        """Those that look, here or in the network, and subagents. Where several have to be asked about, that queues."""
        tool = self._model_requests.tools.get(call.name)
        return tool is not None and (
            tool.effect in ("read", "network") or (tool.runs_in == "agent" and tool.effect != "write")
        )

    async def _wanted(self, call: ToolCall) -> Authorise:
        """Raises Failed."""
        tool = self._model_requests.tools.get(call.name)
        fetches = tool is not None and any(touch.scope == "web" for touch in tool.touches)
        bodies = (entry.body for entry in self.history.entries) if fetches else ()
        seen = self.history.seen if tool is not None and tool.effect == "write" else ()
        named = named_hosts.named(call.arguments, bodies)
        merging = await self._agent_calls.merging(call)
        return Authorise(call=call, session_id=self.history.session_id, named=named, seen=seen, merging=merging)

    async def _write_down(self, call: ToolCall) -> None:
        """That it is started; what may write is begun when the files as they were are recorded. Raises Failed."""
        tool = self._model_requests.tools.get(call.name)
        writes = tool is None or tool.effect in ("write", "execute")
        recorded = await self._checkpoints.before_writing() if writes else ()
        try:
            await self.journal.save(*recorded, CallStarted(call_id=call.call_id))
        except Failed as failure:  # what is not known to be on disk does not run, and must not pass for run later
            output = NOT_RUN.format(why=failure.problem.text)
            self.journal.save_soon(ToolResult(call_id=call.call_id, name=call.name, output=output, failed=True))
            raise

    async def _before_end(self, end: EndTurn) -> str | EndTurn:
        told = await stay(self.subagents, self.history, self._settings.background, end)
        if told != end or end.reason != "done":
            return told
        turn = self.history.open_turn
        return await self.hooks.stop(turn, answer_of(turn)) or end

    async def ordered(self, wanted: Ordered) -> SubagentIs:
        """By another program. Raises Failed."""
        if wanted.session_id != self.history.session_id:
            raise failed("gone", "the session that it belongs to is not open there any more.", "See: trouper agents")
        return await from_outside(self.subagents, wanted, self.answer)

    def agents(self, below: str) -> tuple[SubagentIs, ...]:
        """For another program: of this session alone; "" for all."""
        return tuple(brief(one) for one in self.subagents.standing() if below in ("", one.session_id))

    async def end_of(self, name: str) -> SubagentIs | None:
        """For another program: how that subagent has ended, once it has; None as of `orders`."""
        return await end_of(self.subagents, name)

    async def _before_merge(self) -> tuple[Body, ...]:
        """Between turns there is no prompt that it could be taken back with."""
        return await self._checkpoints.before_writing() if self.history.turn_id else ()

    def _standing(self) -> tuple[SubagentIs, ...]:
        return self.subagents.standing()

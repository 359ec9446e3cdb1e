"""`trouper -p`: the front that sends one prompt, prints what its output form says, and leaves with a true exit code."""

import time

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Compacted,
    EndReason,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import ResolvedModel, ResolveModel, Retrying
from actors.messages.subagent import SubagentEnded, SubagentSpawned
from actors.messages.system import ActorGivenUp, ActorRestarted, Exit, Signalled
from actors.messages.turn import CancelTurn, EntryAdded, Event, FromSubagent, Notice, Prompt, SessionInfo
from actors.settings.brought import notices
from actors.settings.config import Settings
from actors.settings.mcp.names import shown_tool
from ui.common.exit_codes import IN_USE, OF_TURN, USAGE
from ui.common.harmless import one_line, sanitise
from ui.headless import waits
from ui.headless.report import Report, heartbeat, reason_of, report_for
from ui.headless.stdout import StdoutGone, say, write
from ui.headless.trajectory import Recording
from ui.headless.watch import Watch
from ui.start.fronts import HeadlessFront

AGENT = "agent:main"
PREVIEW = 100
PATIENCE_S = 3.0
"""For a cancelled turn to end and be reported."""
AGAIN_S = 0.2
"""Between two requests to end the turn."""
LAST_WORDS_S = 1.0
"""For the result of a turn that did not end."""
BEAT_S = 15.0
"""Of silence on stdout, with stream-json."""
MOST_NAMED = 8
"""In such a line, which is to be written in one piece."""
LOOK_AGAIN_S = 1.0
"""Whether something has come of a request, or nobody works on one any more."""
DIFF_LINES = 20
GO_ON = "go on with: trouper -c"
AGENT_LEFT = {"cancelled": "was cancelled", "running": "had not ended"}
INTERRUPTED = f"interrupted; {GO_ON}"


async def run(mailbox: Mailbox, settings: Settings) -> None:
    words = msgspec.msgpack.decode(settings.front, type=HeadlessFront)
    front = Headless(mailbox, words, settings, named=settings.resume and settings.session_id != "")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.drive)
        if words.output == "stream-json":
            nursery.start_soon(front.beat)
        async for request in mailbox:
            match request.message:
                case Signalled():
                    nursery.start_soon(front.cancel, "interrupted", INTERRUPTED)
                case ActorRestarted() | Notice():
                    nursery.start_soon(front.show, request.message)  # a stdout nobody reads must not hold up a signal
                case ActorGivenUp(why=why):
                    front.complain(why)
                case _:
                    continue  # a question has nobody to answer it: the gate does not ask here
        nursery.cancel_scope.cancel()


class Headless:
    def __init__(self, mailbox: Mailbox, words: HeadlessFront, settings: Settings, *, named: bool) -> None:
        """named: the user said which session goes on."""
        self._mailbox = mailbox
        self._notices = notices(settings)
        """Those of the start, which are on stderr already."""
        self._settings = settings
        self._words = words
        self._named = named
        self._code: int | None = None
        """Where it is not that of the reason."""
        self._report: Report = report_for(words.output)
        self._printing = trio.Lock()
        self._printed_at = trio.current_time()
        self._began = trio.current_time() - (0.0 if words.began is None else time.monotonic() - words.began)
        self._over = False
        """The result is printed, or cannot be, and nothing comes after it."""
        self._ending = False
        """The result is being printed."""
        self._leaving = False
        prompt = Prompt(prompt_id=words.prompt_id, text=words.prompt)
        self._recording = Recording(words.trajectory)
        self._finished = trio.Event()
        self._cancelled: tuple[EndReason, str] | None = None
        """Why, when it is: a prompt that is not accepted for that has not failed."""
        self._watch = Watch(mailbox, AGENT, prompt, self.show, words.files)

    async def drive(self) -> None:
        """From the prompt to Exit."""
        async with trio.open_nursery() as nursery:
            if self._words.timeout_s is not None:
                nursery.start_soon(self._time_out, self._words.timeout_s)
            if self._words.start_s:
                nursery.start_soon(self._end_late_start, self._words.start_s)
            reason, text = await self._follow()
            if not self._ending:
                nursery.cancel_scope.cancel()
        await self._finish(reason, text)

    async def _follow(self) -> tuple[EndReason, str]:
        try:
            return await self._watch.follow(self._words.typed, self._settings)
        except Failed as failure:
            if self._cancelled is not None:
                return self._cancelled
            self._code = _code_of(failure, named=self._named)
            return reason_of(failure), str(failure)

    async def show(self, event: Event | ActorRestarted) -> None:
        self._recording.hear(event)
        if isinstance(event, SessionInfo):
            if self._words.output == "stream-json":
                event = msgspec.structs.replace(event, model=event.model or await self._model())
            await self._print(self._report.begin(event))
            for notice in self._notices:
                await self._print(self._report.event(Notice(text=notice, level="warning")))
        elif self._words.output == "text" or (self._words.output == "json" and isinstance(event, Notice)):
            _show_progress(event)
        await self._print(self._report.event(event))

    async def _model(self) -> str:
        """The one that will answer, or "" where there is none."""
        try:
            return (await self._mailbox.ask("providers", ResolveModel(), ResolvedModel)).model
        except Failed:
            return ""  # the turn itself tells why

    async def cancel(self, reason: EndReason, text: str) -> None:
        """End the turn and leave, in bounded time whoever does not answer or read. text: why."""
        self._cancelled = reason, text
        self._watch.stop_reading()
        with trio.move_on_after(PATIENCE_S):
            try:
                while not self._finished.is_set():  # again: our prompt may reach the agent after this
                    await self._mailbox.insist(AGENT, CancelTurn(reason=reason, text=text, scope="tree"), Done)
                    with trio.move_on_after(AGAIN_S):
                        await self._finished.wait()
            except Failed as failure:
                self.complain(str(failure))
        with trio.move_on_after(LAST_WORDS_S):
            await self._finish(reason, text)
        self._leave(reason)

    def complain(self, text: str) -> None:
        _stderr(f"trouper: {text}")

    async def _time_out(self, after: float) -> None:
        await trio.sleep_until(self._began + after)
        await self.cancel("timeout", f"time was up after {after:g} s (--timeout); {GO_ON}")

    async def _end_late_start(self, within: float) -> None:
        await trio.sleep_until(self._began + within)
        while not self._watch.has_asked:
            tree = await waits.looked_up(self._mailbox)
            if not (self._watch.is_accepted and _works_on_a_request(waits.waited_for(tree, AGENT))):
                end = GO_ON if self._watch.is_accepted else "the prompt was not sent; see: trouper doctor"
                late = f"no model was asked within {within:g} s of the start (--start-timeout)"
                await self.cancel("timeout", f"{late}: {waits.in_words(tree, AGENT)}; {end}")
                return
            await trio.sleep(LOOK_AGAIN_S)

    async def beat(self) -> None:
        """A line whenever there was none for a while: who reads knows that we are alive, and whom we wait for."""
        while not self._ending:
            await trio.sleep_until(self._printed_at + BEAT_S)
            if trio.current_time() >= self._printed_at + BEAT_S:
                names = waits.waited_for(await waits.looked_up(self._mailbox), AGENT)
                await self._print(heartbeat(self._watch.tally.ms, names[:MOST_NAMED]))

    async def _finish(self, reason: EndReason, text: str) -> None:
        """Once: what comes later is not heard."""
        if self._ending:
            return
        self._ending = True
        if problem := self._untold(reason, text):
            reason, text = "failed", "; ".join(filter(None, (text, problem)))
        tally = self._watch.tally
        await self._print(self._report.end(tally, reason, text), last=True)
        if self._words.output == "text" and not self._leaving and (summary := tally.summary()):
            _stderr(f"… {summary}")
        if text:
            self.complain(text)
        for name, state in tally.agents.items():
            if state not in ("completed", "failed"):
                self.complain(f'the agent "{name}" {AGENT_LEFT[state]}; with trouper -c it can be gone on with')
        for remedy in dict.fromkeys(tally.refused):
            self.complain(f"a tool call was refused: {remedy}")
        self._leave(reason)
        self._finished.set()

    def _untold(self, reason: EndReason, text: str) -> str:
        """The trajectory is written, where one is wanted; at once, so that nobody ends us before it is. Or why not."""
        words = self._words
        prompt = UserMessage(text=words.prompt, turn_id="", prompt_id=words.prompt_id)
        ended = TurnEnded(turn_id="", reason=reason, text=text)
        try:
            self._recording.write(self._watch.tally.session_id, prompt, ended, time.time())
        except OSError as error:
            return f"cannot write the trajectory to {words.trajectory}: {error.strerror}"
        return ""

    def _leave(self, reason: EndReason) -> None:
        """The first reason is the one that counts."""
        if not self._leaving:
            self._mailbox.tell("supervisor", Exit(code=OF_TURN[reason] if self._code is None else self._code))
        self._leaving = True

    async def _print(self, text: str, *, last: bool = False) -> None:
        async with self._printing:
            if self._over:
                return
            self._over = last
            self._printed_at = trio.current_time() if text else self._printed_at
            try:
                await write(text)
            except StdoutGone as gone:
                self._over = True
                if str(gone):
                    self.complain(str(gone))
                self._leave("failed")


def _works_on_a_request(waited_for: tuple[str, ...]) -> bool:
    """Or on the calls of an answer: of a turn, that is; the hooks of a prompt run before it is accepted."""
    return any(name.startswith(("providers", "tools:")) for name in waited_for)


def _code_of(failure: Failed, *, named: bool) -> int | None:
    """Where the session could not be opened."""
    match failure.problem.code:
        case "unknown_session" | "ambiguous_session" if named:
            return USAGE
        case "session_in_use":
            return IN_USE
        case _:
            return None


def _show_progress(event: Event | ActorRestarted) -> None:
    """On stderr, a line a step, for the person who waits."""
    match event:
        case EntryAdded(entry=entry):
            _show_step(entry.body)
        case Retrying(why=why, wait_s=wait):
            _stderr(f"… {why}" + (f" (again in {wait:.0f} s)" if wait >= 1 else ""))
        case ActorRestarted(name=name, why=why):
            _stderr(f"… {name} was restarted ({why}); going on")
        case Notice(text=text):
            _stderr(f"… {text}")
        case FromSubagent(name=name, event=Retrying(why=text) | Notice(text=text)):
            _stderr(f"… {name}: {text}")
        case _:
            pass


def _show_step(body: Body) -> None:
    match body:
        case AssistantMessage(calls=calls) if calls:
            for call in calls:
                _stderr(f"● {shown_tool(call)} {_brief(call.arguments)}")
        case ToolResult() as result:
            _show_result(result)
        case Compacted(told=told):
            _stderr(f"… {told}")
        case SubagentSpawned(name=name, kind=kind, prompt=prompt):
            _stderr(f"○ {name} ({kind}) {_brief(prompt)}")
        case SubagentEnded(name=name, state=state, summary=summary):
            _stderr(f"{'✔' if state == 'completed' else '✗'} {name} {state}: {_brief(summary)}")
        case _:
            pass


def _show_result(result: ToolResult) -> None:
    if result.failed:
        _stderr(f"  ✗ {one_line(result.output) if result.denied else _brief(result.output.strip())}")
    else:
        for line in result.diff.splitlines()[2:][:DIFF_LINES]:
            _stderr(f"  {line}")
    for line in result.warning.splitlines():
        _stderr(f"  ! {line}")


def _brief(text: str) -> str:
    return text if len(text) <= PREVIEW else f"{text[:PREVIEW]}…"


def _stderr(text: str) -> None:
    say(sanitise(text).split("\n")[0])

"""An agent, a gate and a store that behave: prompts become turns of scripted steps, questions are really asked."""

from collections.abc import AsyncIterable, Callable, Sequence
from dataclasses import dataclass, field

import trio

from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    CallStarted,
    EndReason,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import TextDelta
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import Choice, ModeIs, SetMode, UserAnswered, UserAsked
from actors.messages.turn import (
    Accepted,
    CancelTurn,
    CaughtUp,
    EntryAdded,
    Prompt,
    SessionInfo,
    StartOver,
    Subscribe,
)
from actors.messages.usage import Usage

APPROVAL = (
    Choice(id="once", key="y", label="yes"),
    Choice(id="session", key="s", label="yes, and Bash(pytest:*) for this session"),
    Choice(id="always", key="a", label="always: writes Bash(pytest -q) to .trouper/config.local.toml"),
    Choice(id="no", key="n", label="no", refuses=True),
    Choice(id="no_because", key="f", label="no, and tell the agent what to do instead", takes_text=True, refuses=True),
)
PLAN = (
    Choice(id="approve", key="1", label="approve: write PLAN.md and carry it out"),
    Choice(id="deny", key="2", label="deny, and say what to change", takes_text=True, refuses=True),
    Choice(id="leave", key="3", label="leave plan mode without approving"),
    Choice(id="fresh", key="4", label="approve, and carry it out in a fresh session"),
)
YES = {"once", "session", "always", "approve", "fresh"}


@dataclass(frozen=True)
class Say:
    text: str
    piece: int = 5
    """Characters in one delta."""


@dataclass(frozen=True)
class Use:
    """A tool call with its result; with a question the user is asked first."""

    call: ToolCall
    result: ToolResult
    question: UserAsked | None = None


@dataclass(frozen=True)
class Hang:
    """Nothing more happens until the turn is cancelled."""


@dataclass(frozen=True)
class Tell:
    """Of the gate to the screen."""

    message: Message


Step = Say | Use | Hang | Tell


@dataclass
class FakeAgent:
    turns: list[Sequence[Step]]
    entries: list[Entry] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    answers: list[UserAnswered] = field(default_factory=list)
    model: str = "scripted/demo"
    on_end: Callable[[EndReason], None] = lambda _reason: None

    def __post_init__(self) -> None:
        self._watchers: list[trio.MemorySendChannel[Message]] = []
        self._turn: trio.CancelScope | None = None
        self._partial = ""
        self._session = "s1"
        self._wanted = CancelTurn()
        """The latest."""

    async def run(self, mailbox: AsyncIterable[Request], gate: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                match request.message:
                    case Subscribe():
                        nursery.start_soon(request.serve, self._subscribed)
                    case Prompt(prompt_id=prompt_id, text=text):
                        self.prompts.append(text)
                        self.add(UserMessage(text=text, turn_id="t", prompt_id=prompt_id))
                        request.reply(Accepted(turn_id="t"))
                        if self._turn is None:
                            nursery.start_soon(self._run_turn, gate)
                    case StartOver(prompt_id=prompt_id, text=text):
                        self._start_over()
                        self.prompts.append(text)
                        self.add(UserMessage(text=text, turn_id="t", prompt_id=prompt_id))
                        request.reply(Accepted(turn_id="t"))
                        nursery.start_soon(self._run_turn, gate)
                    case CancelTurn() as wanted:
                        self._wanted = wanted
                        if self._turn is not None:
                            self._turn.cancel()
                        request.reply(Done())

    def _start_over(self) -> None:
        if self._turn is not None:
            self._turn.cancel()
        self._session, self.entries, self._partial = "s2", [], ""
        for watcher in self._watchers:
            watcher.close()
        self._watchers = []

    def add(self, body: Body) -> None:
        number = len(self.entries)
        parent = self.entries[-1].id if self.entries else ""
        entry = Entry(
            id=f"{self._session}-{number}",
            session_id=self._session,
            parent=parent,
            body=body,
            at=1_700_000_000.0 + number,
        )
        self.entries.append(entry)
        self._tell(EntryAdded(entry=entry))

    def _tell(self, event: Message) -> None:
        for watcher in self._watchers:
            watcher.send_nowait(event)

    async def _subscribed(self, request: Request) -> None:
        if not isinstance(request.message, Subscribe):
            raise TypeError(request.message)
        send, receive = trio.open_memory_channel[Message](float("inf"))
        ids = [entry.id for entry in self.entries]
        first = ids.index(request.message.after) + 1 if request.message.after in ids else 0
        send.send_nowait(
            SessionInfo(
                session_id=self._session, model=self.model, cwd="/w", mode="default", busy=self._turn is not None
            )
        )
        for entry in self.entries[first:]:
            send.send_nowait(EntryAdded(entry=entry))
        if self._partial:
            send.send_nowait(TextDelta(text=self._partial))
        send.send_nowait(CaughtUp())
        self._watchers.append(send)
        async for event in receive:
            await request.send(event)
        request.reply(Done())

    async def _run_turn(self, gate: Mailbox) -> None:
        end = TurnEnded(turn_id="t", reason="done")
        session = self._session
        with trio.CancelScope() as self._turn:
            for step in self.turns.pop(0) if self.turns else [Say("Done.")]:
                await self._take(step, gate)
        if self._turn.cancelled_caught:
            reason: EndReason = "timeout" if self._wanted.reason == "timeout" else "interrupted"
            end = TurnEnded(turn_id="t", reason=reason, text=self._wanted.text)
        if session != self._session:
            return
        self._turn, self._partial = None, ""
        self.add(end)
        self.on_end(end.reason)

    async def _take(self, step: Step, gate: Mailbox) -> None:
        match step:
            case Say(text=text, piece=piece):
                for at in range(0, len(text), piece):
                    self._partial += text[at : at + piece]
                    self._tell(TextDelta(text=text[at : at + piece]))
                    await trio.lowlevel.checkpoint()
                self._partial = ""
                self.add(_message(Text(text=text)))
            case Use(call=call, result=result, question=question):
                self.add(_message(call))
                if question is not None:
                    result = await self._asked(gate, question, result)
                self.add(CallStarted(call_id=call.call_id))
                self.add(result)
            case Tell(message=message):
                gate.tell("ui", message)
            case Hang():
                await trio.sleep_forever()

    async def _asked(self, gate: Mailbox, question: UserAsked, result: ToolResult) -> ToolResult:
        answer = await gate.insist("ui", question, UserAnswered)
        self.answers.append(answer)
        if answer.choice in YES:
            return result
        call = question.call
        return ToolResult(call_id=call.call_id, name=call.name, output=f"no {answer.text}", failed=True, denied=True)


def approval(call: ToolCall, title: str, risk: str = "runs a command") -> UserAsked:
    return UserAsked(
        agent="agent:main",
        kind="approval",
        title=title,
        risk=risk,
        choices=APPROVAL,
        default="no",
        escape="no",
        call=call,
    )


def _message(block: Text | ToolCall) -> AssistantMessage:
    stop = "tool_calls" if isinstance(block, ToolCall) else "end_turn"
    usage = Usage(input_tokens=1200, output_tokens=34)
    return AssistantMessage(blocks=(block,), stop_reason=stop, model="scripted/demo", usage=usage)  # type: ignore[arg-type]


async def run_store(mailbox: Mailbox) -> None:
    kept: dict[str, str] = {}
    async for request in mailbox:
        match request.message:
            case Remember(key=key, value=value):
                kept[key] = value
                request.reply(Done())
            case Recall(key=key):
                request.reply(Recalled(value=kept.get(key)))


async def run_gate(mailbox: Mailbox) -> None:
    async for request in mailbox:
        if isinstance(request.message, SetMode):
            request.reply(ModeIs(mode=request.message.mode, label="as said"))

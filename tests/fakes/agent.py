"""An agent, a gate and a store that behave: prompts become turns of scripted steps, questions are really asked."""

from collections.abc import Callable, Sequence
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
    Usage,
    UserMessage,
)
from actors.messages.model import TextDelta
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.tool import ApprovalAsked, ApprovalGiven, ModeIs, Preview, SetMode
from actors.messages.turn import Accepted, CancelTurn, CaughtUp, EntryAdded, Prompt, SessionInfo, Subscribe


@dataclass(frozen=True)
class Say:
    text: str
    piece: int = 5
    """Characters in one delta."""


@dataclass(frozen=True)
class Use:
    """A tool call with its result; with a preview the user is asked first."""

    call: ToolCall
    result: ToolResult
    preview: Preview | None = None


@dataclass(frozen=True)
class Hang:
    """Nothing more happens until the turn is cancelled."""


Step = Say | Use | Hang


@dataclass
class FakeAgent:
    turns: list[Sequence[Step]]
    entries: list[Entry] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    answers: list[ApprovalGiven] = field(default_factory=list)
    model: str = "scripted/demo"
    on_end: Callable[[EndReason], None] = lambda _reason: None

    def __post_init__(self) -> None:
        self._watchers: list[trio.MemorySendChannel[Message]] = []
        self._turn: trio.CancelScope | None = None
        self._partial = ""

    async def run(self, mailbox: Mailbox, gate: Mailbox) -> None:
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
                    case CancelTurn():
                        if self._turn is not None:
                            self._turn.cancel()
                        request.reply(Done())

    def add(self, body: Body) -> None:
        number = len(self.entries)
        parent = self.entries[-1].id if self.entries else ""
        entry = Entry(id=f"e{number}", session_id="s", parent=parent, body=body, at=1_700_000_000.0 + number)
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
        first = ids.index(request.message.after) + 1 if request.message.after else 0
        send.send_nowait(
            SessionInfo(session_id="s", model=self.model, cwd="/w", mode="default", busy=self._turn is not None)
        )
        for entry in self.entries[first:]:
            send.send_nowait(EntryAdded(entry=entry))
        if self._partial:
            send.send_nowait(TextDelta(text=self._partial))
        send.send_nowait(CaughtUp())
        self._watchers.append(send)
        async for event in receive:
            await request.send(event)

    async def _run_turn(self, gate: Mailbox) -> None:
        reason: EndReason = "interrupted"
        with trio.CancelScope() as self._turn:
            for step in self.turns.pop(0) if self.turns else [Say("Done.")]:
                await self._take(step, gate)
            reason = "done"
        self._turn, self._partial = None, ""
        self.add(TurnEnded(turn_id="t", reason=reason))
        self.on_end(reason)

    async def _take(self, step: Step, gate: Mailbox) -> None:
        match step:
            case Say(text=text, piece=piece):
                for at in range(0, len(text), piece):
                    self._partial += text[at : at + piece]
                    self._tell(TextDelta(text=text[at : at + piece]))
                    await trio.lowlevel.checkpoint()
                self._partial = ""
                self.add(_message(Text(text=text)))
            case Use(call=call, result=result, preview=preview):
                self.add(_message(call))
                if preview is not None:
                    result = await self._asked(gate, call, preview, result)
                self.add(CallStarted(call_id=call.call_id))
                self.add(result)
            case Hang():
                await trio.sleep_forever()

    async def _asked(self, gate: Mailbox, call: ToolCall, preview: Preview, result: ToolResult) -> ToolResult:
        question = ApprovalAsked(agent="agent:main", call=call, preview=preview, risk="runs a command")
        answer = await gate.ask("ui", question, ApprovalGiven)
        self.answers.append(answer)
        if answer.allowed:
            return result
        return ToolResult(call_id=call.call_id, name=call.name, output=answer.feedback, denied=True)


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

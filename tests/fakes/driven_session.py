"""A session of the real store, agent, gate and workers whose front does what a test says, a JSON object a line.

    python -m tests.fakes.driven_session HOME SOCKET

listens to whoever listens at SOCKET; the model is a fake that answers every prompt, writes what it was asked last
to HOME/asked.json, and calls tools first where the prompt says so. The workspace is `work` beside HOME.
`tests.system.sessions.driver` is the other end.
"""

import contextlib
import os
import signal
import sys
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import trio
import trio.lowlevel

from actors.errors import ActorDied, Failed, UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.checkpoint import Checkpoints, ListCheckpoints
from actors.messages.conversation import (
    AssistantMessage,
    Entry,
    ModelInput,
    Opaque,
    Text,
    ToolCall,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Answer, AskModel, ModelFacts, ResolvedModel, ResolveModel
from actors.messages.store import (
    Append,
    CloneSession,
    ListSessions,
    OpenSession,
    ReadSession,
    ReadTree,
    SessionOpened,
    Sessions,
    TreeNode,
)
from actors.messages.system import DescribeTree, Exit, Tree
from actors.messages.turn import (
    Accepted,
    Compact,
    EntryAdded,
    GoTo,
    OpenOther,
    Prompt,
    Rewind,
    Rewound,
    SessionInfo,
    Subscribe,
)
from actors.messages.usage import Usage
from actors.settings.config import Settings
from supervisor import tree
from supervisor.child_spec import Limit
from tests.fakes import led_tree

HERE = "tests.fakes.driven_session"
CALLS = "use a tool: "
"""A prompt that begins so gets two calls before its answer."""
WRITES = "use these tools: "
"""One that begins so has these calls made in one answer: a JSON array of names and arguments is its second line."""
ROUNDS = "use a tool in four rounds: "
"""One that begins so gets them four times."""
CONTEXT = 60_000
"""Tokens of the model's window."""
SEALED_LINES = 200
"""Of what the user said, the latest: that is what its service makes of a conversation, for itself."""
CHARACTERS = 4
"""Of a token, as it counts."""
LONG = 120
"""Times that an answer says the same: so that a summary is shorter."""
OFTEN = Limit(restarts=10_000, seconds=300.0)
Command = dict[str, Any]


async def model(mailbox: Mailbox, settings: Settings) -> None:
    """In the place of providers."""
    asked = Path(settings.home) / "asked.json"
    async with trio.open_nursery() as nursery:
        async for request in mailbox:
            match request.message:
                case ResolveModel():
                    facts = ModelFacts(id="model", context=CONTEXT)
                    request.reply(ResolvedModel(model="fake/model", facts=facts, sums_up="sealed"))
                case AskModel() as question:
                    if question.tools and not question.sum_up:  # else it is asked for a summary
                        asked.write_bytes(msgspec.json.encode(_read(question)))
                    nursery.start_soon(request.serve, _answer)
                case other:
                    raise UnexpectedMessage(other)


async def _answer(request: Request) -> None:
    question = request.message
    assert isinstance(question, AskModel)
    tokens = len(msgspec.json.encode((question.system, question.tools, question.history))) // CHARACTERS
    usage = Usage(input_tokens=tokens, output_tokens=5, cost_usd=0.001)
    if question.sum_up:
        said = [line for one in _read(question) if isinstance(one, UserMessage) for line in one.text.splitlines()]
        item = Opaque(api="fake", data="\n".join(list(dict.fromkeys(said))[-SEALED_LINES:]))
        message = AssistantMessage(blocks=(item,), stop_reason="pause", model="fake/model", usage=usage)
    elif question.tools and (calls := tuple(_calls(question.history))):
        message = AssistantMessage(blocks=calls, stop_reason="tool_calls", model="fake/model", usage=usage)
    else:
        text = (Text(text="so be it " * (LONG if question.tools else 1)),)
        message = AssistantMessage(blocks=text, stop_reason="end_turn", model="fake/model", usage=usage)
    request.reply(Answer(message=message))


def _read(question: AskModel) -> list[ModelInput]:
    """With what is sealed, as words."""
    history = list(question.history)
    if question.sealed is not None:
        history[0] = UserMessage(text=question.sealed.blocks[0].data, turn_id="")
    return history


class Wanted(msgspec.Struct):
    name: str
    arguments: msgspec.Raw


def _calls(history: Sequence[ModelInput]) -> Iterator[ToolCall]:
    """None where it is time to answer."""
    prompts = [at for at, message in enumerate(history) if isinstance(message, UserMessage) and message.prompt_id]
    said = history[prompts[-1]] if prompts else UserMessage(text="", turn_id="")
    assert isinstance(said, UserMessage)
    rounds = sum(isinstance(message, AssistantMessage) for message in history[prompts[-1] if prompts else 0 :])
    if said.text.startswith(WRITES) and not rounds:
        for one in msgspec.json.decode(said.text.partition("\n")[2], type=list[Wanted]):
            yield ToolCall(call_id=uuid.uuid4().hex, name=one.name, arguments=bytes(one.arguments).decode())
    elif rounds < (4 if said.text.startswith(ROUNDS) else int(said.text.startswith(CALLS))):
        arguments = msgspec.json.encode({"items": [{"task": f"{said.text} {rounds}"[:200]}]}).decode()
        for _ in range(2):
            yield ToolCall(call_id=uuid.uuid4().hex, name="todo", arguments=arguments)


class Front:
    def __init__(self, mailbox: Mailbox, cwd: str) -> None:
        self._mailbox = mailbox
        self._cwd = cwd

    async def do(self, command: Command) -> object:
        async with trio.open_nursery() as nursery:
            for victim in command.get("kill", "").split():
                nursery.start_soon(self._kill, victim, command.get("after", 0))
            answer = await getattr(self, command["op"])(command)
            nursery.cancel_scope.cancel()
        return answer

    async def _kill(self, victim: str, after: int | str) -> None:
        """after: once so many events of the agent have come, or once a file of the workspace or a record changed."""
        if isinstance(after, str):
            watched = Path(self._cwd) if after == "files" else Path(self._cwd).parent / "home" / "checkpoints"
            before = _stamps(watched)
            while _stamps(watched) == before:
                await trio.lowlevel.checkpoint()
        elif after:
            await self._events(after)
        found = await self._mailbox.ask("supervisor", DescribeTree(), Tree)
        for actor in found.actors:
            if actor.name == victim and actor.pid:
                os.kill(actor.pid, signal.SIGKILL)

    async def _events(self, number: int) -> None:
        async with self._mailbox.stream("agent:main", Subscribe(after="")) as events:
            seen = 0
            async for event in events:
                seen += isinstance(event, EntryAdded)
                if seen >= number:
                    break

    async def prompt(self, command: Command) -> object:
        prompt = Prompt(prompt_id=command["id"], text=command["text"])
        await self._mailbox.insist("agent:main", prompt, Accepted)
        while True:
            try:
                if await self._has_ended(prompt.prompt_id):
                    return {}
            except ActorDied:
                continue

    async def _has_ended(self, turn_id: str) -> bool:
        async with self._mailbox.stream("agent:main", Subscribe()) as events:
            async for event in events:
                body = event.entry.body if isinstance(event, EntryAdded) else None
                if isinstance(body, TurnEnded) and body.turn_id == turn_id:
                    return True
        return False

    async def go_to(self, command: Command) -> object:
        await self._mailbox.insist("agent:main", GoTo(entry_id=command["entry"]), Done)
        return {}

    async def rewind(self, command: Command) -> object:
        """once: whoever dies meanwhile, it is not asked for again."""
        wanted = Rewind(
            entry_id=command["entry"],
            rewind_id=command["id"],
            files=command["files"],
            conversation=command["conversation"],
            remove_others=command["remove_others"],
        )
        ask = self._mailbox.ask if command["once"] else self._mailbox.insist
        try:
            return await ask("agent:main", wanted, Rewound)
        except Failed as failure:
            return {"refused": failure.problem.code}

    async def recorded(self, command: Command) -> object:
        """How many ends of turns and rewinds are, once there are more of them than `than`."""
        while True:
            found = await self._mailbox.insist("checkpoints", ListCheckpoints(cwd=self._cwd), Checkpoints)
            ends = sum(one.moment == "after" for one in found.checkpoints)
            if ends > command["than"]:
                return ends

    async def compact(self, _command: Command) -> object:
        """Where there is nothing to be summed up, nothing is."""
        try:
            await self._mailbox.insist("agent:main", Compact(), Done)
        except Failed as failure:
            return {"refused": failure.problem.code}
        return {}

    async def clone(self, command: Command) -> object:
        clone = CloneSession(session_id=command["session"], copy_id=command["copy"])
        await self._mailbox.insist("store", clone, Done)
        return {}

    async def open(self, command: Command) -> object:
        await self._mailbox.insist("agent:main", OpenOther(session_id=command["session"]), Done)
        return {}

    async def actors(self, _command: Command) -> object:
        """Their processes."""
        found = await self._mailbox.ask("supervisor", DescribeTree(), Tree)
        return {actor.name: actor.pid for actor in found.actors if actor.pid}

    async def times(self, command: Command) -> object:
        """Milliseconds of appends to another session, and of opening this one as an agent does."""
        appends = []
        parent = ""
        await self._opened("probe", False)
        for _ in range(command["appends"]):
            body = UserMessage(text="probe", turn_id="p")
            entry = Entry(id=uuid.uuid4().hex, session_id="probe", parent=parent, body=body, at=1.0)
            appends.append(await self._took(self._mailbox.ask, "store", Append(entries=(entry,)), Done))
            parent = entry.id
        opened = [await self._took(self._opened, command["session"], True) for _ in range(5)]
        return {"appends": appends, "opened": opened}

    async def _opened(self, session_id: str, resume: bool) -> None:
        wanted = OpenSession(session_id=session_id, cwd=self._cwd, resume=resume)
        async with self._mailbox.stream("store", wanted) as stream:
            async for _ in stream:
                continue
            await stream.result(SessionOpened)

    async def _took(self, act: Callable[..., Awaitable[object]], *arguments: object) -> float:
        start = time.perf_counter()
        await act(*arguments)
        return (time.perf_counter() - start) * 1000

    async def session(self, _command: Command) -> object:
        while True:
            try:
                async with self._mailbox.stream("agent:main", Subscribe()) as events:
                    async for event in events:
                        if isinstance(event, SessionInfo):
                            return {"session": event.session_id}
            except ActorDied:
                continue

    async def path(self, command: Command) -> object:
        entries = await self._read(ReadSession(session_id=command["session"]))
        return [entry.body for entry in entries if isinstance(entry, Entry)]

    async def count(self, command: Command) -> object:
        """Of the entries of the whole tree, without reading them."""
        found = await self._mailbox.insist("store", ListSessions(cwd=self._cwd), Sessions)
        return next(one.entries for one in found.sessions if one.session_id == command["session"])

    async def tree(self, command: Command) -> object:
        return [
            node for node in await self._read(ReadTree(session_id=command["session"])) if isinstance(node, TreeNode)
        ]

    async def _read(self, wanted: Message) -> list[Message]:
        while True:
            try:
                async with self._mailbox.stream("store", wanted) as stream:
                    items = [item async for item in stream]
                    await stream.result(SessionOpened)
                    return items
            except ActorDied:
                continue


def _stamps(root: Path) -> list[tuple[str, int]]:
    """Of what is there, while it is being changed."""
    found = []
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = f"{folder}/{name}"
            with contextlib.suppress(OSError):
                found.append((path, os.lstat(path).st_mtime_ns))
    return found


async def front(mailbox: Mailbox, settings: Settings) -> None:
    """In the place of the ui."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_obey, mailbox, settings)
        async for _ in mailbox:  # what it is told is for people
            continue
        nursery.cancel_scope.cancel()


async def _obey(mailbox: Mailbox, settings: Settings) -> None:
    front = Front(mailbox, settings.cwd)
    stream = await trio.open_unix_socket(msgspec.msgpack.decode(settings.front, type=str))
    waiting = b""
    while data := await stream.receive_some(65536):
        *lines, waiting = (waiting + data).split(b"\n")
        for line in lines:
            try:
                answer = await front.do(msgspec.json.decode(line))
            except* Failed as failures:
                answer = {"failed": [str(one) for one in failures.exceptions]}
            await stream.send_all(msgspec.json.encode(answer) + b"\n")
    mailbox.tell("supervisor", Exit(code=0))


def main(home: Path, socket: str) -> int:
    replaced = {"providers": f"{HERE}:model", "ui": f"{HERE}:front"}
    specs = tuple(
        msgspec.structs.replace(spec, entry=replaced.get(spec.name, spec.entry), failures=OFTEN)
        for spec in tree.session(tree.front(f"{HERE}:front", terminal=False), main_agent=True)
    )
    settings = Settings(
        home=str(home),
        cwd=str(home.parent / "work"),
        session_id=uuid.uuid4().hex,
        run_id=uuid.uuid4().hex,
        mode="auto",
        unrestricted=True,  # nobody is there to be asked
    )
    settings = msgspec.structs.replace(settings, front=msgspec.Raw(msgspec.msgpack.encode(socket)))
    return led_tree.run(specs, settings)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))

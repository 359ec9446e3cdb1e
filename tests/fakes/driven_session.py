"""A session of the real store, agent, gate and workers whose front does what a test says, a JSON object a line.

    python -m tests.fakes.driven_session HOME SOCKET

listens to whoever listens at SOCKET; the model is a fake that answers every prompt, writes what it was asked last
to HOME/asked.json, and calls a tool first where the prompt says so. `tests.system.sessions.driver` is the other end.
"""

import os
import signal
import sys
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import trio

from actors.errors import ActorDied, Failed, UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.conversation import (
    AssistantMessage,
    Entry,
    ModelInput,
    Text,
    ToolCall,
    TurnEnded,
    Usage,
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
from actors.messages.turn import Accepted, Compact, EntryAdded, GoTo, OpenOther, Prompt, SessionInfo, Subscribe
from actors.settings.config import Settings
from supervisor import tree
from supervisor.child_spec import Limit
from supervisor.log import Log
from supervisor.process.spawner import Spawner
from supervisor.session_plan import Plan
from supervisor.supervise import Supervisor
from tests import ROOT

HERE = "tests.fakes.driven_session"
CALLS = "use a tool: "
"""A prompt that begins so gets two calls before its answer."""
ROUNDS = "use a tool in four rounds: "
"""One that begins so gets them four times."""
RECALL = "recall: "
"""One that begins so has its words searched in what was summed up."""
CONTEXT = 60_000
"""Tokens of the model's window."""
CHARACTERS = 4
"""Of a token, as it counts."""
OFTEN = Limit(restarts=10_000, seconds=300.0)
Command = dict[str, Any]


async def model(mailbox: Mailbox, settings: Settings) -> None:
    """In the place of providers."""
    asked = Path(settings.home) / "asked.json"
    async with trio.open_nursery() as nursery:
        async for request in mailbox:
            match request.message:
                case ResolveModel():
                    request.reply(ResolvedModel(model="fake/model", facts=ModelFacts(id="model", context=CONTEXT)))
                case AskModel() as question:
                    if question.tools:  # else it is asked for a summary
                        asked.write_bytes(msgspec.json.encode(question.history))
                    nursery.start_soon(request.serve, _answer)
                case other:
                    raise UnexpectedMessage(other)


async def _answer(request: Request) -> None:
    question = request.message
    assert isinstance(question, AskModel)
    tokens = len(msgspec.json.encode((question.system, question.tools, question.history))) // CHARACTERS
    usage = Usage(input_tokens=tokens, output_tokens=5, cost_usd=0.001)
    if question.tools and (task := _task(question.history)):
        message = AssistantMessage(blocks=_calls(task), stop_reason="tool_calls", model="fake/model", usage=usage)
    else:
        text = (Text(text="so be it"),)
        message = AssistantMessage(blocks=text, stop_reason="end_turn", model="fake/model", usage=usage)
    request.reply(Answer(message=message))


def _calls(task: str) -> tuple[ToolCall, ...]:
    if task.startswith(RECALL):
        arguments = msgspec.json.encode({"words": task.split()[1]}).decode()
        return (ToolCall(call_id=uuid.uuid4().hex, name="recall", arguments=arguments),)
    arguments = msgspec.json.encode({"items": [{"task": task[:200]}]}).decode()
    return tuple(ToolCall(call_id=uuid.uuid4().hex, name="todo", arguments=arguments) for _ in range(2))


def _task(history: Sequence[ModelInput]) -> str:
    """What calls are wanted for; "" where it is time to answer."""
    prompts = [at for at, message in enumerate(history) if isinstance(message, UserMessage)]
    said = history[prompts[-1]]
    assert isinstance(said, UserMessage)
    rounds = sum(isinstance(message, AssistantMessage) for message in history[prompts[-1] :])
    wanted = 4 if said.text.startswith(ROUNDS) else int(said.text.startswith((CALLS, RECALL)))
    return f"{said.text} {rounds}" if rounds < wanted else ""


class Front:
    def __init__(self, mailbox: Mailbox, cwd: str) -> None:
        self._mailbox = mailbox
        self._cwd = cwd

    async def do(self, command: Command) -> object:
        async with trio.open_nursery() as nursery:
            if victim := command.get("kill"):
                nursery.start_soon(self._kill, victim, command.get("after", 0))
            answer = await getattr(self, command["op"])(command)
            nursery.cancel_scope.cancel()
        return answer

    async def _kill(self, victim: str, after: int) -> None:
        """Once so many events of the agent have come."""
        if after:
            async with self._mailbox.stream("agent:main", Subscribe(after="")) as events:
                seen = 0
                async for event in events:
                    seen += isinstance(event, EntryAdded)
                    if seen >= after:
                        break
        found = await self._mailbox.ask("supervisor", DescribeTree(), Tree)
        for actor in found.actors:
            if actor.name == victim and actor.pid:
                os.kill(actor.pid, signal.SIGKILL)

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
    for folder in ("logs", "run"):
        (home / folder).mkdir(exist_ok=True)
    replaced = {"providers": f"{HERE}:model", "ui": f"{HERE}:front"}
    specs = tuple(
        msgspec.structs.replace(spec, entry=replaced.get(spec.name, spec.entry), failures=OFTEN)
        for spec in tree.session(tree.front(f"{HERE}:front", terminal=False), main_agent=True)
    )
    settings = Settings(
        home=str(home), cwd=str(home / "work"), session_id=uuid.uuid4().hex, run_id=uuid.uuid4().hex, mode="auto"
    )
    settings = msgspec.structs.replace(settings, front=msgspec.Raw(msgspec.msgpack.encode(socket)))
    encoded = msgspec.Raw(msgspec.msgpack.encode(settings))
    spawner = Spawner("fork", str(ROOT / "tests" / "fakes" / "launch.py"), [])
    spawner.fork_zygote()
    plan = Plan(
        tree=specs,
        start=tree.started_at_once(specs),
        settings=encoded,
        without_secrets=encoded,
        session_id=settings.session_id,
        run_id=settings.run_id,
        cwd=settings.cwd,
        home=home,
    )
    return trio.run(Supervisor(plan, spawner, Log(home, settings.run_id)).run)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))

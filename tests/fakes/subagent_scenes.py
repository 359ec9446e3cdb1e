"""A session with the real actors and the scripted model, whose front plays one scene and prints what it saw.

    python -m tests.fakes.subagent_scenes SCENE HOME SCRIPT

prints JSON lines. The workspace is `work` beside HOME.
"""

import sys
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, Message
from actors.messages.checkpoint import WorktreeMerged
from actors.messages.conversation import Body, Entry, TurnEnded, UserMessage
from actors.messages.model import TextDelta
from actors.messages.store import ListSessions, ReadSession, ReadTree, SessionOpened, Sessions, TrashSession, TreeNode
from actors.messages.subagent import (
    CancelSubagent,
    MergeSubagent,
    SteerSubagent,
    SubagentEnded,
    SubagentIs,
    SubagentsAre,
)
from actors.messages.system import Exit
from actors.messages.turn import (
    Accepted,
    CancelTurn,
    CaughtUp,
    EntryAdded,
    OpenOther,
    Prompt,
    Rewind,
    Rewound,
    SessionInfo,
    Subscribe,
)
from actors.settings.config import Settings
from supervisor import tree
from tests.fakes import led_tree
from tests.fakes.deaths import say

HERE = "tests.fakes.subagent_scenes"
AGENT = "agent:main"
TALK = ("UserMessage", "AssistantMessage", "ToolResult")
Kind = TypeVar("Kind", bound=Body)


class Scene:
    """What the front has seen, and what it can have done."""

    def __init__(self, mailbox: Mailbox, session_id: str) -> None:
        self.mailbox = mailbox
        self.session_id = session_id
        self.bodies: list[Body] = []
        self.stand: dict[str, SubagentIs] = {}
        self._changed = trio.Event()

    async def watch(self) -> None:
        while True:
            self.bodies.clear()
            self.stand.clear()
            async with self.mailbox.stream(AGENT, Subscribe()) as stream:
                async for event in stream:
                    match event:
                        case SessionInfo(session_id=session_id):
                            self.session_id = session_id
                        case EntryAdded(entry=entry):
                            self.bodies.append(entry.body)
                        case SubagentsAre(subagents=subagents):
                            self.stand = {one.name: one for one in subagents}
                        case _:
                            continue
                    self._changed.set()
                    self._changed = trio.Event()

    async def until(self, found: Callable[[], bool]) -> None:
        while not found():
            await self._changed.wait()

    async def running(self, *names: str) -> None:
        await self.until(lambda: all(self.state(name) == "running" for name in names))

    def state(self, name: str) -> str:
        return self.stand[name].state if name in self.stand else ""

    async def prompt(self, text: str) -> None:
        await self.mailbox.insist(AGENT, Prompt(prompt_id=uuid.uuid4().hex, text=text), Accepted)

    async def turns(self, number: int) -> None:
        await self.until(lambda: len(self.of(TurnEnded)) >= number)

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [body for body in self.bodies if isinstance(body, kind)]

    def ends(self) -> dict[str, str]:
        """How they have ended last, as the entries say."""
        return {body.name: body.state for body in self.bodies if isinstance(body, SubagentEnded)}

    async def ask(self, message: Message, expected: type[Message] = Done) -> Message:
        return await self.mailbox.insist(AGENT, message, expected)


async def esc_twice(scene: Scene) -> None:
    """The first ends the turn with whom it waits for, the second the rest."""
    await scene.prompt("go")
    await scene.running("front", "back")
    await scene.ask(CancelTurn())
    await scene.turns(1)
    first = dict(scene.ends())
    await scene.turns(1)  # an event, which may come after the answer
    say(
        after_one=first,
        back=scene.state("back"),
        reason=[body.reason for body in scene.bodies if isinstance(body, TurnEnded)],
    )
    await scene.ask(CancelTurn(scope="tree"))
    await scene.until(lambda: len(scene.ends()) == 2)
    say(after_two=scene.ends())


async def told_with_the_next_turn(scene: Scene) -> None:
    await scene.prompt("go")
    await scene.running("back")
    await scene.ask(CancelTurn())
    await scene.until(lambda: "back" in scene.ends())
    await scene.prompt("and now?")
    await scene.turns(2)
    notes = [body.text for body in scene.bodies if isinstance(body, UserMessage) and not body.prompt_id]
    say(notes=notes)


async def prompt_while_it_waits(scene: Scene) -> None:
    """The turn waits for one in the background, and hears what the user says."""
    await scene.prompt("go")
    await scene.running("back")
    await scene.prompt("hurry")
    await scene.until(lambda: any(isinstance(body, UserMessage) and body.text == "hurry" for body in scene.bodies))
    say(state=scene.state("back"))
    await scene.ask(CancelTurn(scope="tree"))


async def steered_and_cancelled(scene: Scene) -> None:
    await scene.prompt("go")
    await scene.running("back")
    await scene.ask(SteerSubagent(name="back", prompt_id="p1", text="do it otherwise"))
    await scene.ask(SteerSubagent(name="back", prompt_id="p1", text="do it otherwise"))
    ended = await scene.ask(CancelSubagent(name="back"), SubagentEnded)
    assert isinstance(ended, SubagentEnded)
    try:
        await scene.ask(SteerSubagent(name="nobody", prompt_id="p2", text="x"))
    except Failed as failure:
        say(refused=failure.problem.code)
    said = [type(body).__name__ for body in scene.bodies]
    say(state=ended.state, said=said.count("SubagentPrompted"))


async def merged(scene: Scene) -> None:
    await scene.prompt("go")
    await scene.turns(1)
    await scene.until(lambda: scene.stand["writer"].patch_files > 0)
    say(patch_files=scene.stand["writer"].patch_files)
    done = await scene.ask(MergeSubagent(name="writer"), WorktreeMerged)
    assert isinstance(done, WorktreeMerged)
    await scene.until(lambda: scene.stand["writer"].patch_files == 0)
    say(files=done.files)


async def rewound(scene: Scene) -> None:
    """Those of a path that is left are cancelled, and their numbers are not given again."""
    await scene.prompt("go")
    await scene.running("back")
    before = scene.stand["back"].session_id
    nodes: list[TreeNode] = []
    async with scene.mailbox.stream("store", ReadTree(session_id=scene.session_id)) as stream:
        nodes += [node async for node in stream if isinstance(node, TreeNode)]
        await stream.result(SessionOpened)
    await scene.ask(Rewind(entry_id=nodes[0].entry_id, rewind_id="r", files=False), Rewound)
    await scene.until(lambda: not scene.stand and not scene.of(UserMessage))
    await scene.prompt("go")
    await scene.running("back")
    say(
        before=before.removeprefix(scene.session_id),
        after=scene.stand["back"].session_id.removeprefix(scene.session_id),
    )
    await scene.ask(CancelTurn(scope="tree"))


async def hidden_and_thrown_away(scene: Scene) -> None:
    await scene.prompt("go")
    await scene.turns(1)
    listed = await scene.mailbox.insist("store", ListSessions(), Sessions)
    below = await scene.mailbox.insist("store", ListSessions(below=scene.session_id), Sessions)
    first = scene.session_id
    await scene.ask(OpenOther(session_id=""))
    await scene.until(lambda: scene.session_id != first)
    await scene.mailbox.insist("store", TrashSession(session_id=first), Done)
    say(listed=len(listed.sessions), below=[one.session_id.removeprefix(first) for one in below.sessions])


async def told_while_they_work(scene: Scene) -> None:
    await scene.prompt("go")
    await scene.running("one")
    await scene.turns(1)
    await scene.until(lambda: scene.state("one") == "completed")
    say(used=scene.stand["one"].used.output_tokens, session=scene.of(SubagentEnded)[0].used.output_tokens)


async def copied(scene: Scene) -> None:
    await scene.prompt("go")
    await scene.turns(1)
    first = scene.session_id
    await scene.ask(OpenOther(session_id=first, copy_id="copy"))
    await scene.until(lambda: scene.session_id == "copy" and bool(scene.stand))
    try:
        await scene.ask(SteerSubagent(name="one", prompt_id="p", text="on"))
    except Failed as failure:
        say(state=scene.state("one"), refused=failure.problem.text)


async def watched_itself(scene: Scene) -> None:
    """One is subscribed to as its parent is: what it did before, what it says now; and afterwards what is on disk."""
    await scene.prompt("go")
    await scene.running("back")
    child = scene.stand["back"]
    await _watch(scene.mailbox, child.agent, lambda past, _: "ToolResult" in past)
    past, live = await _watch(scene.mailbox, child.agent, lambda _, live: live.count("word") > 1)
    await scene.ask(CancelSubagent(name="back"), SubagentEnded)
    async with scene.mailbox.stream("store", ReadSession(session_id=child.session_id)) as stream:
        later = [type(item.body).__name__ async for item in stream if isinstance(item, Entry)]
        await stream.result(SessionOpened)
    said = [kind for kind in later if kind in TALK]
    say(past=[kind for kind in past if kind in TALK], live="word" in live, later=said, end=later[-1])
    await scene.ask(CancelTurn(scope="tree"))


async def _watch(mailbox: Mailbox, agent: str, enough: Callable[[list[str], str], bool]) -> tuple[list[str], str]:
    """The kinds of entries that were there already, and what was said from then on; entries that come count, too."""
    past, came, live, is_past = list[str](), list[str](), "", True
    async with mailbox.stream(agent, Subscribe()) as stream:
        async for event in stream:
            match event:
                case CaughtUp():
                    is_past = False
                case EntryAdded(entry=entry):
                    (past if is_past else came).append(type(entry.body).__name__)
                case TextDelta(text=text) if not is_past:
                    live += text
                case _:
                    continue
            if enough([*past, *came], live):
                break
    return past, live


SCENES: dict[str, Callable[[Scene], Awaitable[None]]] = {
    scene.__name__: scene
    for scene in (
        esc_twice,
        told_with_the_next_turn,
        prompt_while_it_waits,
        steered_and_cancelled,
        merged,
        rewound,
        hidden_and_thrown_away,
        told_while_they_work,
        copied,
        watched_itself,
    )
}


async def front(mailbox: Mailbox, settings: Settings) -> None:
    name = msgspec.msgpack.decode(settings.front, type=str)
    scene = Scene(mailbox, settings.session_id)

    async def play() -> None:
        await SCENES[name](scene)
        mailbox.tell("supervisor", Exit(code=0))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(scene.watch)
        nursery.start_soon(play)
        async for _ in mailbox:
            continue
        nursery.cancel_scope.cancel()


def main(scene: str, home: Path, script: str) -> int:
    specs = tree.session(tree.front(f"{HERE}:front", terminal=False), main_agent=True)
    specs = tuple(msgspec.structs.replace(spec, at_once=8) if spec.name == "agent:sub:*" else spec for spec in specs)
    settings = Settings(
        home=str(home),
        cwd=str(home.parent / "work"),
        session_id=uuid.uuid4().hex,
        run_id=uuid.uuid4().hex,
        mode="auto",
        model=script,
        naming_model="off",
        front=msgspec.Raw(msgspec.msgpack.encode(scene)),
    )
    return led_tree.run(specs, settings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))

"""What the model knows of files is the agent's to remember: it goes with each call that writes, whoever runs it."""

from pathlib import Path

from actors.agent.session.history import History
from actors.messages.conversation import MOST_SEEN, Entry, Seen, ToolCall, ToolResult
from actors.messages.turn import Prompt
from tests.actors.agent.test_agent import a_scene
from tests.fakes.model import say

LOOK = ToolCall(call_id="look", name="look", arguments="{}")
CHANGE = ToolCall(call_id="change", name="change", arguments="{}")
LATER = ToolCall(call_id="later", name="change", arguments="{}")
ONE, TWO = (Seen(path=path, stamp=(number, 2, 3)) for number, path in enumerate(("/one", "/two")))


async def test_what_calls_have_seen_is_said_with_those_that_write(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("", CHANGE), say("done")) as scene:
        scene.tools.seen = (ONE,)
        await scene.send()
        await scene.until_end()

        assert [granted.seen for granted in scene.tools.granted] == [(), (ONE,)]


async def test_it_is_known_to_the_next_life_of_the_agent(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", LOOK), say("done"), say("", LATER), say("done")) as scene:
        scene.tools.seen = (ONE, TWO)
        await scene.send()
        await scene.until_end()
        scene.network.kill("agent:main")
        scene.start_agent()
        await scene.send(Prompt(prompt_id="p2", text="more"))
        await scene.until_end(turns=2)

        assert scene.tools.granted[-1].seen == (ONE, TWO)


def test_the_latest_counts_and_the_oldest_are_forgotten() -> None:
    files = [Seen(path=f"/{number}", stamp=(number, 0, 0)) for number in range(MOST_SEEN)]
    again, new = Seen(path="/0", stamp=(0, 0, 1)), Seen(path="/new", stamp=(0, 0, 0))
    results = [ToolResult(call_id="c", name="look", output="", seen=seen) for seen in ((*files,), (again,), (new,))]

    history = History("s", [Entry(id="e", session_id="s", parent="", body=body, at=0) for body in results])

    assert history.seen == (*files[2:], again, new)

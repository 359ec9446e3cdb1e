"""What MCP servers gave goes with its prompt to the model, and stays apart from what the user said."""

from pathlib import Path

import msgspec
import trio

from actors.agent.compaction import estimate
from actors.agent.compaction.carried import gathered
from actors.agent.compaction.shrink import MOST, shrunk
from actors.agent.compaction.summary import question
from actors.messages.conversation import Carried, PromptQueued, Quoted, UserMessage
from actors.messages.turn import Accepted, Prompt
from tests.actors.agent.test_agent import CHANGE
from tests.actors.agent.test_attachments import GO_ON, a_scene, prompts
from tests.fakes.model import say

ONE = Quoted(of="@docs:x://one", head="Theirs:", text="of one\nto the end")
ASKED = Prompt(prompt_id="p1", text="what is @docs:x://one?", quoted=(ONE,))
SAID = UserMessage(text="what is @docs:x://one?", turn_id="p1", prompt_id="p1", quoted=(ONE,))
LONG = msgspec.structs.replace(SAID, quoted=(msgspec.structs.replace(ONE, text="a line of it\n" * 5000),))


async def test_it_is_kept_beside_the_prompt_and_survives_the_agent(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("one"), say("again")) as scene:
        await scene.send(ASKED)
        bodies = await scene.until_end()
        scene.network.kill("agent:main")
        scene.start_agent()
        again = await scene.ui.insist("agent:main", ASKED, Accepted)
        await scene.send(GO_ON)
        await scene.until_end(2)

    assert prompts(bodies) == [SAID]
    assert again == Accepted(turn_id="p1")
    assert scene.model.requests[1].history[0] == SAID


async def test_in_the_middle_of_a_turn_it_joins_with_its_prompt(tmp_path: Path) -> None:
    async with a_scene(tmp_path, say("", CHANGE), say("seen")) as scene:
        scene.tools.hold = hold = trio.Event()
        await scene.send(GO_ON)
        await scene.tools.started.wait()
        await scene.send(ASKED)
        hold.set()
        bodies = await scene.until_end()

    assert PromptQueued(prompt_id="p1", text=ASKED.text, quoted=(ONE,)) in bodies
    assert scene.model.requests[1].history[-1] == msgspec.structs.replace(SAID, turn_id="p2")


def test_it_is_counted_as_it_is_sent() -> None:
    assert estimate.of_message(LONG) > estimate.of_message(SAID) + 10_000


def test_an_old_one_is_cut_line_by_line_quoted_and_the_user_s_words_stay() -> None:
    [shorter] = shrunk([LONG])

    assert isinstance(shorter, UserMessage)
    assert shorter.text == LONG.text
    assert len(shorter.quoted[0].text) < 2 * MOST
    theirs = shorter.whole.partition("Theirs:\n\n")[2]
    assert "characters left out here" in theirs
    assert all(line.startswith(">") for line in theirs.splitlines())
    assert shrunk([SAID]) == [SAID]


def test_it_is_never_carried_as_what_the_user_said() -> None:
    assert gathered(Carried(), [LONG], "s").said == (LONG.text,)


def test_who_sums_up_is_told_whose_words_they_are() -> None:
    lines = [line for line in question("", [SAID], "", 10_000).splitlines() if line]

    assert lines[-3:] == ["USER: what is @docs:x://one?", "QUOTED, @docs:x://one: of one", "to the end"]

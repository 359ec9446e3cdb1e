"""A prompt that begins with a kind of subagents."""

from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.conversation import Quoted
from actors.messages.turn import Prompt
from actors.settings.config import Settings
from tests.fakes.network import open_network
from ui.common.attached_files import shown_quotation
from ui.common.mentions import addressee
from ui.common.mentions.fetching import Whose
from ui.common.mentions.going_along import with_mentions

OWN = """---
name: scout
description: knows the cart
---
Look at the cart first.
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    home, cwd = tmp_path / "home", tmp_path / "work"
    (home / "agents").mkdir(parents=True)
    (home / "agents" / "scout.md").write_text(OWN)
    cwd.mkdir()
    return Settings(home=str(home), cwd=str(cwd), session_id="s", run_id="r")


async def sent(settings: Settings, text: str) -> tuple[Quoted, ...]:
    async with open_network() as network:
        whose, said = Whose("agent:main", settings), list[str]()
        prompt = Prompt(prompt_id="p", text=text)
        return (await with_mentions(network.mailbox("ui"), prompt, text, whose, said.append)).quoted


@pytest.mark.parametrize("kind", ["explore", "scout"])
async def test_the_model_is_told_who_is_to_do_it_and_the_user_sees_that(settings: Settings, kind: str) -> None:
    (told,) = await sent(settings, f"@{kind} find where totals are rounded")

    assert told.of == f"@{kind}"
    assert "call spawn_agent with this type" in told.whole
    assert shown_quotation(told) == f"[@{kind}, for a subagent of this kind]"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("@nobody find it", id="no kind has that name"),
        pytest.param("find it, @explore it", id="it is not at the beginning"),
        pytest.param("@explore", id="there is nothing to do"),
        pytest.param("`@explore` is what?", id="it is quoted"),
    ],
)
async def test_anything_else_is_text(settings: Settings, text: str) -> None:
    assert await sent(settings, text) == ()


async def test_a_folder_of_that_name_is_meant_where_more_than_its_name_is_written(settings: Settings) -> None:
    (Path(settings.cwd) / "explore").mkdir()

    (told,) = await sent(settings, "@explore find it")
    assert told.summary == addressee.SHOWN

    unread = pytest.RaisesExc(Failed, match="explore/ cannot be read")  # there is no gate here to ask
    with pytest.RaisesGroup(unread, flatten_subgroups=True):
        await sent(settings, "@explore/ says what?")


def test_what_a_kind_says_of_itself_is_quoted(settings: Settings) -> None:
    (scout,) = (kind for kind in addressee.known(settings) if kind.name == "scout")

    told = addressee.instruction("scout", [scout])

    assert told is not None
    assert told.whole.endswith("\n\n> knows the cart")

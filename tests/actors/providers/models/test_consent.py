"""A server of this machine that nobody has named: the user hears of it first, and at the screen says yes or no once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.model import AskModel, ResolvedModel, ResolveModel
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.turn import Notice
from actors.providers.actor import serve
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings, Settings
from actors.settings.services import BuiltIn
from tests.actors.providers.talking import ASK, HELLO, SETTLE_S, answer_in, problem_in, told
from tests.fakes.model_server import ModelServer, open_model_server
from tests.fakes.network import open_network

ANY = msgspec.structs.replace(ASK, model="")


@dataclass
class User:
    """At the screen, or before the output of a program."""

    says: str = "use"
    interactive: bool = True
    heard: list[Message] = field(default_factory=list)
    asked_before: list[int] = field(default_factory=list)
    """For each thing that was heard: how many prompts the server had by then."""

    async def look_on(self, mailbox: Mailbox, server: ModelServer) -> None:
        async for request in mailbox:
            self.heard.append(request.message)
            self.asked_before.append(len(server.asked))
            if isinstance(request.message, UserAsked):
                request.reply(UserAnswered(choice=self.says))


@asynccontextmanager
async def beside(
    clock: MockClock, home: Path, user: User, server: ModelServer, *, named: bool = False
) -> AsyncIterator[Mailbox]:
    clock.autojump_threshold = SETTLE_S
    settings = Settings(home=str(home), cwd=str(home), session_id="s", run_id="r", interactive=user.interactive)
    url = f"{server.url}/v1"
    own = {"found": ProviderSettings("openai-chat", url)} if named else {}
    registry = Registry(own, {}, [BuiltIn(name="found", api="openai-chat", base_url=url)])
    async with open_network() as network, trio.open_nursery() as nursery:
        nursery.start_soon(user.look_on, network.mailbox("ui"), server)
        network.start("providers", lambda mailbox: serve(mailbox, settings, registry))
        yield network.mailbox("agent")
        nursery.cancel_scope.cancel()


async def asked(agent: Mailbox, ask: AskModel = ANY) -> list[Message]:
    return await told(agent, ask)


async def test_it_is_asked_about_once_and_the_yes_is_remembered(mock_clock: MockClock, tmp_path: Path) -> None:
    user = User()
    async with open_model_server(HELLO) as server:
        for _life in range(2):
            async with beside(mock_clock, tmp_path, user, server) as agent, trio.open_nursery() as nursery:
                nursery.start_soon(agent.ask, "providers", ResolveModel(), ResolvedModel)
                first, second = await asked(agent), await asked(agent)
        url = f"{server.url}/v1"

    assert answer_in(first) == answer_in(second)
    question, notice = user.heard
    assert isinstance(question, UserAsked)
    assert (question.kind, question.default, question.escape) == ("server", "leave", "leave")
    assert "found/test-model" in question.title
    assert question.detail == f"found: {url}"
    assert notice == Notice(
        text=f"No model is chosen: found/test-model answers, of the server that was found at {url}."
    )
    assert user.asked_before[0] == 0
    assert (tmp_path / "local_servers.json").stat().st_mode & 0o077 == 0


async def test_after_a_no_nothing_is_sent_and_nobody_asks_again(mock_clock: MockClock, tmp_path: Path) -> None:
    user = User(says="leave")
    async with open_model_server(HELLO) as server:
        async with beside(mock_clock, tmp_path, user, server) as agent:
            problems = [problem_in(await asked(agent)), problem_in(await asked(agent))]
        assert server.asked == []

    assert [problem.code for problem in problems] == ["no_credentials"] * 2
    assert "/model" in problems[0].hint
    assert len(user.heard) == 1


async def test_without_a_screen_it_is_named_before_the_first_prompt(mock_clock: MockClock, tmp_path: Path) -> None:
    user = User(interactive=False)
    async with open_model_server(HELLO) as server, beside(mock_clock, tmp_path, user, server) as agent:
        await asked(agent)
        await asked(agent)

    (notice,) = user.heard
    assert isinstance(notice, Notice)
    assert "found/test-model" in notice.text
    assert user.asked_before == [0]


async def test_one_that_the_user_has_configured_is_asked_at_once(mock_clock: MockClock, tmp_path: Path) -> None:
    user = User(says="leave")
    async with open_model_server(HELLO) as server, beside(mock_clock, tmp_path, user, server, named=True) as agent:
        heard = await asked(agent)

    assert answer_in(heard).message.model == "found/test-model"
    assert user.heard == []


@pytest.mark.parametrize("kept", ["no JSON", '{"a": 1}', '["http://127.0.0.1:1/v1"]'])
async def test_what_cannot_be_read_and_another_address_allow_nothing(
    mock_clock: MockClock, tmp_path: Path, kept: str
) -> None:
    (tmp_path / "local_servers.json").write_text(kept)
    user = User(says="leave")
    async with open_model_server(HELLO) as server, beside(mock_clock, tmp_path, user, server) as agent:
        problem = problem_in(await asked(agent))

    assert problem.code == "no_credentials"
    assert len(user.heard) == 1

"""What the status line shows that nobody tells: asked for when it may have changed, and never waited for."""

from pathlib import Path

import trio
import trio.testing

from actors.mailbox import Mailbox
from actors.messages.conversation import Body, Entry, TurnEnded
from actors.messages.model import ModelFacts, ResolvedModel, ResolveModel
from actors.messages.system import ActorGivenUp, ActorRestarted
from actors.messages.turn import EntryAdded, SessionInfo
from actors.settings.config import Settings
from tests.fakes.network import Network, open_network
from ui.screen.session_view import SessionView
from ui.screen.surroundings.known import RESTART_SHOWN_S, Surroundings
from ui.screen.surroundings.lookups import Lookups

INFO = SessionInfo(session_id="s", model="p/small", cwd="/w", mode="default", busy=False)
FACTS = {"p/small": ModelFacts(context=1000), "p/large": ModelFacts(context=9000, max_input=8000)}


async def run_providers(mailbox: Mailbox) -> None:
    async for request in mailbox:
        if isinstance(request.message, ResolveModel):
            name = request.message.model or "p/large"
            request.reply(ResolvedModel(model=name, facts=FACTS[name]))


class Stage:
    def __init__(self, network: Network, nursery: trio.Nursery, cwd: Path) -> None:
        self.session, self.found, self.said = SessionView(), Surroundings(), list[tuple[str, str]]()
        self._nursery = nursery
        self.painted = trio.Event()
        settings = Settings(home=str(cwd), cwd=str(cwd), session_id="s", run_id="r")
        self.lookups = Lookups(
            network.mailbox("ui"),
            settings,
            self.session,
            self.found,
            self._resolved,
            nursery.start_soon,
            lambda: None,
            lambda text, level: self.said.append((text, level)),
            self.painted,
        )

    async def _resolved(self, _model: str, _effort: str) -> str:
        return "p/large"

    def hear(self, event: SessionInfo | EntryAdded) -> None:
        self.session.apply(event)
        self.lookups.heard(event)

    def add(self, body: Body) -> None:
        self.hear(EntryAdded(entry=Entry(id=f"e{id(body)}", session_id="s", parent="", body=body, at=1.0)))


async def wait_until(stage: Stage, branch: str) -> None:
    while stage.found.branch != branch:  # noqa: ASYNC110  # a thread looks
        await trio.sleep(0.01)


async def test_the_branch_is_looked_at_after_the_first_frame_and_after_a_turn(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    async with open_network() as network, trio.open_nursery() as nursery:
        network.start("providers", run_providers)
        stage = Stage(network, nursery, tmp_path)
        stage.hear(INFO)
        await trio.testing.wait_all_tasks_blocked()
        before = stage.found.branch

        stage.painted.set()
        await wait_until(stage, "main")
        (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/other\n")
        stage.add(TurnEnded(turn_id="t", reason="done"))

        await wait_until(stage, "other")
        nursery.cancel_scope.cancel()
    assert before == ""


async def test_the_window_of_whoever_answers_is_known(tmp_path: Path) -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        network.start("providers", run_providers)
        stage = Stage(network, nursery, tmp_path)

        stage.hear(INFO)
        stage.session.name = "p/large"
        stage.add(TurnEnded(turn_id="t", reason="done"))
        await trio.testing.wait_all_tasks_blocked()

        nursery.cancel_scope.cancel()
    assert stage.found.windows == {"p/small": 1000, "p/large": 8000}


async def test_a_session_without_a_model_hears_who_would_answer(tmp_path: Path) -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        network.start("providers", run_providers)
        stage = Stage(network, nursery, tmp_path)

        stage.hear(SessionInfo(session_id="s", model="", cwd="/w", mode="default", busy=False))
        await trio.testing.wait_all_tasks_blocked()

        nursery.cancel_scope.cancel()
    assert (stage.session.name, stage.found.windows) == ("p/large", {"p/large": 8000})


async def test_who_has_died_is_told_and_shown_for_a_while(tmp_path: Path) -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        stage = Stage(network, nursery, tmp_path)

        stage.lookups.died(ActorRestarted(name="ui", why="killed by signal 9", restarts=1))
        stage.lookups.died(ActorGivenUp(name="web", why="killed by signal 9"))

        nursery.cancel_scope.cancel()
    assert stage.said == [("web is given up: killed by signal 9", "error")]


def test_a_restart_is_shown_for_some_seconds() -> None:
    around, session = Surroundings(), SessionView()
    session.busy = True
    around.died(ActorRestarted(name="providers", why="killed by signal 9", restarts=1), session, 100.0)

    last = 100.0 + RESTART_SHOWN_S
    assert around.restarted(last - 0.1) == "providers restarted, resuming"
    assert around.restarted(last) == ""
    assert (around.still_for(100.0), around.still_for(last)) == (RESTART_SHOWN_S, float("inf"))

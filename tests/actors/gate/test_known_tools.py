"""What is remembered of a worker's tools, and when it does not count."""

import os
from pathlib import Path

import msgspec
import pytest

from actors.gate import known_tools
from actors.messages.base import Message
from actors.messages.model import ToolSpec
from actors.messages.tool import Authorise, OfferChanged, OfferTools, SandboxIs, Tools
from actors.settings.config import Settings
from tests.actors.gate.scenes import SPECS, a_gate, call
from tests.fakes.tools import FakeTools

LOOK = ToolSpec(name="look", description="Looks.", parameters="{}", effect="read")
KNOWN = Tools(tools=(LOOK,), sandbox="bubblewrap")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=str(tmp_path), cwd=str(tmp_path), session_id="s", run_id="r", model="m")


def test_what_a_worker_had_is_remembered(settings: Settings) -> None:
    known_tools.remember(settings, KNOWN)

    assert known_tools.remembered(settings) == KNOWN


def test_nothing_is_known_before_the_first_session(settings: Settings) -> None:
    assert known_tools.remembered(settings) is None


@pytest.mark.parametrize("other", [{"merging": True}, {"searching": True}, {"sandbox": "none"}, {"unrestricted": True}])
def test_other_settings_may_have_other_tools_or_another_sandbox(settings: Settings, other: dict[str, object]) -> None:
    known_tools.remember(settings, KNOWN)

    assert known_tools.remembered(msgspec.structs.replace(settings, **other)) is None


def test_a_path_of_odd_bytes_is_a_path(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/opt/caf\udce9/bin")

    known_tools.remember(settings, KNOWN)

    assert known_tools.remembered(settings) == KNOWN


def test_another_path_may_have_other_programs(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    known_tools.remember(settings, KNOWN)
    monkeypatch.setenv("PATH", f"/elsewhere{os.pathsep}{os.environ['PATH']}")

    assert known_tools.remembered(settings) is None


@pytest.mark.parametrize("damage", [b"", b"{", b'{"stamp": "x"}', b"\xff", b"[" * 100_000, b'{"x":' + b"[" * 100_000])
def test_a_damaged_file_is_as_good_as_none(settings: Settings, damage: bytes) -> None:
    known_tools.remember(settings, KNOWN)
    (Path(settings.home) / known_tools.FILE).write_bytes(damage)

    assert known_tools.remembered(settings) is None


def test_what_cannot_be_written_costs_the_next_session_a_wait_only(settings: Settings) -> None:
    nowhere = msgspec.structs.replace(settings, home=f"{settings.home}/missing")

    known_tools.remember(nowhere, KNOWN)

    assert known_tools.remembered(nowhere) is None


async def test_a_model_is_offered_what_was_there_and_the_screen_hears_of_another_sandbox(tmp_path: Path) -> None:
    home = tmp_path / ".home"
    home.mkdir()
    settings = Settings(home=str(home), cwd=str(tmp_path), session_id="s1", run_id="r1", model="")
    known_tools.remember(settings, Tools(tools=SPECS, sandbox="bubblewrap"))

    async with a_gate(tmp_path, mode="auto", tools=FakeTools(SPECS, level="landlock")) as scene:
        offered = await scene.agent.ask("gate", OfferTools(), Tools)
        before = list(await scene.told_by_now())
        await scene.run(call("read", path="a.txt"))
        told = await scene.told_by_now()

    assert offered.sandbox == "bubblewrap"
    assert {spec.name for spec in SPECS} <= {spec.name for spec in offered.tools}
    assert before == []
    assert SandboxIs(level="landlock") in told
    remembered = known_tools.remembered(settings)
    assert remembered is not None
    assert remembered.sandbox == "landlock"


async def test_the_screen_hears_of_the_sandbox_also_from_the_next_life_of_the_gate(tmp_path: Path) -> None:
    async with a_gate(tmp_path, mode="auto", tools=FakeTools(SPECS, level="none")) as scene:
        scene.restart_gate()
        await scene.run(call("read", path="a.txt"))

        assert SandboxIs(level="none") in await scene.told_by_now()


async def test_every_agent_that_was_offered_others_hears_of_it_whoever_makes_its_worker_speak(tmp_path: Path) -> None:
    home = tmp_path / ".home"
    home.mkdir()
    settings = Settings(home=str(home), cwd=str(tmp_path), session_id="s1", run_id="r1", model="")
    known_tools.remember(settings, KNOWN)

    async with a_gate(tmp_path, mode="auto") as scene:
        scene.network.start("tools:t1", FakeTools(SPECS).run)
        second = scene.network.mailbox("agent:t1")
        for agent in (scene.agent, second):
            offered = await agent.ask("gate", OfferTools(), Tools)
            assert LOOK in offered.tools
        await scene.ui.ask("gate", OfferTools(), Tools)
        await second.ask("gate", Authorise(call=call("read", path="a.txt")), Message)

        for agent in (scene.agent, second):
            assert [request.message for request in agent.take_waiting()] == [OfferChanged()]
        assert OfferChanged() not in await scene.told_by_now()

"""The modes on the screen and on the command line."""

from typing import get_args

import pytest
import trio

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.tool import Mode, ModeIs, SetMode
from tests.fakes.network import open_network
from ui.cli.arguments import main_parser
from ui.common import modes
from ui.screen.session_view import SessionView
from ui.screen.switches.modes import Modes


async def gate(mailbox: Mailbox) -> None:
    async for request in mailbox:
        match request.message:
            case SetMode(mode="auto"):
                request.fail(failed("store_locked", "it is not kept.").problem)
            case SetMode(mode=mode):
                request.reply(ModeIs(mode=mode, label=f"the risk of {mode}"))


async def moded(*steps: str, first: Mode = "default") -> tuple[list[str], list[str]]:
    """The mode after each step, and what was said."""
    said: list[tuple[str, str]] = []
    session = SessionView()
    session.mode = first
    seen = []
    async with open_network() as network:
        network.start("gate", gate)
        it = Modes(network.mailbox("ui"), "agent:main", session, lambda *told: said.append(told))
        for step in steps:
            await (it.set(step) if step in modes.MODES else getattr(it, step)())  # type: ignore[arg-type]
            seen.append(session.mode)
    return seen, [text for text, _ in said]


async def test_shift_tab_goes_round_without_a_word() -> None:
    assert await moded("cycle", "cycle") == (["accept-edits", "plan"], [])
    assert await moded("cycle", first="research") == (["default"], [])


async def test_a_key_pressed_again_at_once_goes_on() -> None:
    session = SessionView()
    async with open_network() as network, trio.open_nursery() as nursery:
        network.start("gate", gate)
        it = Modes(network.mailbox("ui"), "agent:main", session, lambda *_: None)
        nursery.start_soon(it.cycle)
        nursery.start_soon(it.cycle)

    assert session.mode == "plan"


async def test_a_command_says_the_risk_of_the_mode() -> None:
    seen, said = await moded("toggle_plan", "toggle_plan")

    assert seen == ["plan", "default"]
    assert said == ["mode plan: the risk of plan", "mode default: the risk of default"]


async def test_research_goes_back_to_where_one_was() -> None:
    seen, _ = await moded("research", "leave_research", first="plan")

    assert seen == ["research", "plan"]


async def test_a_mode_that_is_not_kept_is_not_there() -> None:
    assert await moded("auto") == (["default"], ["it is not kept."])


def test_the_gate_may_change_the_mode_of_the_agent_that_is_shown() -> None:
    said: list[str] = []
    session = SessionView()
    it = Modes(Mailbox("ui", None), "agent:main", session, lambda text, _: said.append(text))  # type: ignore[arg-type]

    it.is_now(ModeIs(mode="plan", label="x", agent="agent:scout"))
    it.is_now(ModeIs(mode="auto", label="high", agent="agent:main"))

    assert (session.mode, said) == ("auto", ["mode auto: high"])


def test_every_mode_has_its_place_in_the_tables() -> None:
    assert set(modes.MODES) == set(get_args(Mode)) == set(modes.NEXT) == set(modes.SHORT)


@pytest.mark.parametrize(("named", "mode"), [("plan", "plan"), ("ask", "default"), ("yolo", "auto")])
def test_a_mode_may_be_named_by_an_alias_on_the_command_line(named: str, mode: str) -> None:
    assert main_parser().parse_args(["--mode", named]).mode == mode


@pytest.mark.parametrize(("said", "seconds"), [("0", 0.0), ("90s", 90.0), ("10m", 600.0), ("1h", 3600.0)])
def test_patience_with_an_outage_is_said_as_a_time(said: str, seconds: float) -> None:
    assert main_parser().parse_args(["--retry-for", said]).retry_for == seconds


@pytest.mark.parametrize("said", ["", "10", "-5s", "1.5h", "soon"])
def test_what_is_no_time_is_a_wrong_use(said: str) -> None:
    with pytest.raises(SystemExit):
        main_parser().parse_args(["--retry-for", said])

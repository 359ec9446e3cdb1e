"""Which session a call is judged in: the real gate and store, through deaths of the gate and in later runs."""

from pathlib import Path

import pytest
import trio
import trio.testing

from actors import messages
from actors.messages.base import Done, Envelope
from actors.messages.store import GRANTS_OF, MODE_OF, Remember, open_session_key
from actors.messages.tool import (
    Allowed,
    CarryMode,
    DescribeRules,
    ForgetRule,
    Mode,
    OfferTools,
    Rules,
    SandboxLevel,
    SandboxUnasked,
    Tools,
)
from actors.settings.permissions import RuleLine
from tests.actors.gate.scenes import SPECS, Scene, a_gate, call
from tests.fakes.tools import FakeTools

NOTE = call("write", path="note.txt", content="x")
AGAIN = call("write", "c2", path="note.txt", content="y")


async def opens(scene: Scene, session_id: str) -> Tools:
    return await scene.agent.ask("gate", OfferTools(session_id=session_id), Tools)


async def is_asked(scene: Scene) -> bool:
    return not isinstance(await scene.answer(AGAIN, "no"), Allowed)


async def session_rules(scene: Scene) -> list[str]:
    rules = (await scene.ui.ask("gate", DescribeRules(), Rules)).rules
    return [rule.text for rule in rules if rule.source == "this session"]


async def test_what_is_allowed_in_one_session_is_asked_about_in_another(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await opens(scene, "one")
        await scene.answer(NOTE, "session")
        await opens(scene, "two")
        in_two = await session_rules(scene)
        asked = await is_asked(scene)
        await opens(scene, "one")
        back = await scene.authorise(AGAIN)

    assert (in_two, asked) == ([], True)
    assert isinstance(back, Allowed)


async def test_a_mode_of_the_command_line_is_on_disk_before_the_run_begins(tmp_path: Path) -> None:
    remembering, begun = trio.Event(), trio.Event()

    def remembers(envelope: Envelope) -> bool:
        if not isinstance(messages.decode(envelope.body), Remember):
            return False
        remembering.set()
        return True

    async with a_gate(tmp_path, mode="plan", mode_chosen=True) as scene, trio.open_nursery() as nursery:

        async def begin() -> None:
            await opens(scene, "s1")
            begun.set()

        scene.network.hold_back("store", remembers)
        nursery.start_soon(begin)
        await remembering.wait()
        await trio.testing.wait_all_tasks_blocked()
        begun_before = begun.is_set()
        scene.network.let_go("store")
        await begun.wait()

    assert not begun_before


async def test_who_looks_while_the_mode_of_this_run_is_being_written_is_told_of_the_earlier_one(tmp_path: Path) -> None:
    written = trio.Event()

    def is_done(envelope: Envelope) -> bool:
        if written.is_set() or not isinstance(messages.decode(envelope.body), Done):
            return False
        written.set()
        return True

    async with a_gate(tmp_path, mode="auto", mode_chosen=True) as scene:
        await opens(scene, "s1")
    async with a_gate(tmp_path, run_id="r2", resume=True) as scene, trio.open_nursery() as nursery:
        scene.network.hold_back("gate", is_done)
        nursery.start_soon(opens, scene, "s1")
        await written.wait()
        offered = await scene.agent.ask("gate", OfferTools(session_id="s1", anew=True), Tools)
        scene.network.let_go("gate")

    assert "left in the mode auto" in offered.taken_up


@pytest.mark.parametrize(
    ("level", "counts"), [("bubblewrap", True), ("namespaces", True), ("landlock", False), ("none", False)]
)
async def test_a_grant_does_not_count_again_in_a_weaker_sandbox(
    tmp_path: Path, level: SandboxLevel, counts: bool
) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.answer(NOTE, "session")
    tools, chosen = FakeTools(SPECS, level), "auto" if counts else level
    async with a_gate(tmp_path, tools=tools, run_id="r2", resume=True, sandbox=chosen) as scene:
        told = (await opens(scene, "s1")).taken_up
        verdict = await scene.authorise(AGAIN) if counts else await scene.answer(AGAIN, "no")

        assert isinstance(verdict, Allowed) is counts
        assert ("Allowed for this session before: Write(note.txt)" in told) is counts
        assert await session_rules(scene) == (["Write(note.txt)"] if counts else [])


async def test_a_rule_that_asks_counts_more_than_what_was_allowed_before(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.answer(NOTE, "session")
    rule = RuleLine(verdict="ask", text="Write(*.txt)", source="config.toml")
    async with a_gate(tmp_path, run_id="r2", resume=True, rules=(rule,)) as scene:
        await opens(scene, "s1")

        assert await is_asked(scene)


async def test_what_was_taken_back_stays_so(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.answer(NOTE, "session")
        (rule,) = (await scene.ui.ask("gate", DescribeRules(), Rules)).rules
        await scene.ui.ask("gate", ForgetRule(rule=rule), Done)
        scene.restart_gate()
        assert await is_asked(scene)
    async with a_gate(tmp_path, run_id="r2", resume=True) as scene:
        assert (await opens(scene, "s1")).taken_up == ""
        assert await is_asked(scene)


async def test_who_asks_for_the_screen_waits_until_the_session_that_is_resumed_was_found(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await opens(scene, "found")
        await scene.answer(NOTE, "session")
    rules: list[str] = []
    async with a_gate(tmp_path, run_id="r2", resume=True, session_id="") as scene, trio.open_nursery() as nursery:

        async def look() -> None:
            rules.extend(await session_rules(scene))

        nursery.start_soon(look)
        await trio.testing.wait_all_tasks_blocked()
        assert rules == []
        await opens(scene, "found")

    assert rules == ["Write(note.txt)"]


async def test_a_new_life_of_the_gate_knows_which_session_is_open(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.ui.ask("store", Remember(key=open_session_key("r1", "agent:main"), value="two"), Done)
        await opens(scene, "two")
        await scene.set_mode("accept-edits")
        scene.restart_gate()

        assert isinstance(await scene.authorise(AGAIN), Allowed)
        assert (await opens(scene, "s1")).mode == "default"


@pytest.mark.parametrize("mode", ["plan", "auto"])
async def test_a_new_session_begins_in_the_mode_there_is_also_when_the_gate_dies(tmp_path: Path, mode: Mode) -> None:
    async with a_gate(tmp_path) as scene:
        await scene.set_mode(mode)
        await scene.agent.ask("gate", CarryMode(session_id="new"), Done)
        scene.restart_gate()
        here = await opens(scene, "new")
    async with a_gate(tmp_path, run_id="r2", resume=True) as scene:
        later = await opens(scene, "new")

    assert (here.mode, here.taken_up) == (mode, "")
    assert later.mode == ("plan" if mode == "plan" else "default")
    assert later.taken_up


async def test_the_screen_is_told_when_another_session_lets_the_sandbox_run(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await opens(scene, "one")
        await scene.answer(call("bash", command="make"), "session_in_sandbox")
        await opens(scene, "two")
        await opens(scene, "one")
        told = [message.counts for message in await scene.told_by_now() if isinstance(message, SandboxUnasked)]

    assert told == [True, False, True]


async def test_what_another_program_took_back_meanwhile_does_not_count_here_either(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        await opens(scene, "s1")
        await scene.set_mode("accept-edits")
        await scene.answer(call("bash", command="make"), "session")
        for key, value in ((GRANTS_OF, ""), (MODE_OF, '{"mode": "plan", "before": "default", "run_id": "r2"}')):
            await scene.ui.ask("store", Remember(key=f"{key}s1", value=value), Done)
        known = await opens(scene, "s1")
        again = await scene.agent.ask("gate", OfferTools(session_id="s1", anew=True), Tools)

        assert (known.mode, again.mode) == ("accept-edits", "plan")
        assert await session_rules(scene) == []

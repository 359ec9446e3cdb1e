"""The real screen on a real terminal before a fake agent: `python -m tests.ui.screen.stage HOME RUN_ID SCENARIO`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import trio

from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.system import Exit
from actors.messages.tool import ModeIs, UserAsked
from actors.messages.turn import Notice
from actors.settings.config import Settings
from tests.fakes.agent import PLAN, FakeAgent, Hang, Say, Step, Tell, Use, approval, run_gate, run_store
from tests.fakes.network import open_network
from ui.plain import entrance
from ui.start import first_frame
from ui.start.fronts import Front

BASH = ToolCall(call_id="c1", name="Bash", arguments='{"command": "pytest -q"}')
RAN = ToolResult(call_id="c1", name="Bash", output="2 passed", summary="exit 0", ms=120)
PRESENT = ToolCall(call_id="c2", name="present_plan", arguments='{"plan": "# Fix the totals"}')
PRESENTED = ToolResult(call_id="c2", name="present_plan", output="approved", ms=120)
STEPS = "\n".join(f"{number}. step number {number}" for number in range(1, 41))
PLANNED = UserAsked(
    agent="agent:main",
    kind="plan",
    title="a plan of 40 steps",
    detail=f"# Fix the totals\n\n{STEPS}\n",
    risk="approving it writes PLAN.md and leaves plan mode",
    choices=PLAN,
    default="deny",
    escape="deny",
    call=PRESENT,
)
LEFT = ModeIs(mode="auto", label="high", agent="agent:main")
BLOCKS = "\n\n".join(f"Block {number:02d}: " + "some words that fill the row " * 5 for number in range(60))

SCENARIOS: dict[str, list[Sequence[Step]]] = {
    "chat": [[Say("The answer is **42**.\n\n```python\nprint(42)\n```\n")]],
    "ask": [[Say("I run the tests."), Use(BASH, RAN, approval(BASH, "pytest -q")), Say("All green.")]],
    "plan": [[Use(PRESENT, PRESENTED, PLANNED), Hang()], [Say("I carry it out.")]],
    "told": [[Tell(Notice(text="It was not remembered.", level="warning")), Tell(LEFT), Say("Good.")]],
    "hang": [[Say("I think about it.\n\nFor long."), Hang()]],
    "blocks": [[Say(BLOCKS, piece=40)]],
}


async def play(settings: Settings, scenario: str, home: Path) -> None:
    agent = FakeAgent(list(SCENARIOS[scenario]), on_end=lambda reason: (home / reason).touch())
    async with open_network() as network:
        gate = network.mailbox("gate")
        network.start("store", run_store)
        network.start("agent:main", lambda mailbox: agent.run(mailbox, gate))
        network.start("modes", lambda _: run_gate(gate))
        supervisor = network.mailbox("supervisor")
        network.start("ui", lambda mailbox: entrance.run(mailbox, settings))
        async for request in supervisor:
            if isinstance(request.message, Exit):
                break
    (home / "record.json").write_bytes(msgspec.json.encode({"prompts": agent.prompts, "answers": agent.answers}))


def main(home: str, run_id: str, scenario: str) -> None:
    cwd = str(Path.cwd())
    saved = first_frame.start("0.0", cwd, f"{home}/run/{run_id}.screen")
    front = Front(version="0.0")
    if saved is not None:
        attributes = saved.attributes
        front = Front(termios=(*attributes[:6], tuple(attributes[6])), version="0.0", header=saved.header)
    settings = Settings(
        home=home, cwd=cwd, session_id="s", run_id=run_id, front=msgspec.Raw(msgspec.msgpack.encode(front))
    )
    trio.run(play, settings, scenario, Path(home))
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])

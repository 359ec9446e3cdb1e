"""Trying the sandbox: the user's front may have that done, without a question, and nobody else."""

from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.system import SandboxTried, TrySandbox
from tests.actors.gate.scenes import SPECS, a_gate
from tests.fakes.tools import FakeTools

AIMS = TrySandbox(
    mark="x", outside=(), protected=(), changed=(), secrets=(), port=1, sockets=(), process="1 0"
)  # fmt: skip


async def test_the_front_has_it_tried_by_the_worker(tmp_path: Path) -> None:
    async with a_gate(tmp_path, tools=FakeTools(SPECS, level="bubblewrap")) as scene:
        said = await scene.ui.ask("gate", AIMS, SandboxTried)

    assert said.level == "bubblewrap"


async def test_an_agent_may_not_have_it_tried(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        with pytest.raises(Failed) as refused:
            await scene.agent.ask("gate", AIMS, SandboxTried)

    assert refused.value.problem.code == "not_allowed"

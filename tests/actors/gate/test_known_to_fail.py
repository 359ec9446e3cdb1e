"""A call that is known to fail asks nobody, and its error tells nothing that may not be read unasked."""

from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, Problem
from actors.messages.tool import CheckArguments, DescribeTools, Preview, PreviewTool, Tools
from tests.actors.gate.scenes import SPECS, a_gate, call

WHY = "a.txt: the text to replace is not there. The nearest lines are: secret"


class Failing:
    """A worker whose calls fail before they begin."""

    def __init__(self, *, arguments: bool, why: str = WHY) -> None:
        """arguments: for these alone. why: "" where it is not known to fail."""
        self._arguments = arguments
        self._why = why
        self.previews = 0

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            match request.message:
                case DescribeTools():
                    request.reply(Tools(tools=SPECS, sandbox="namespaces"))
                case CheckArguments() if self._arguments:
                    request.fail(Problem(code="bad_arguments", text=WHY))
                case CheckArguments():
                    request.reply(Done())
                case PreviewTool():
                    self.previews += 1
                    request.reply(Preview(title="write (will fail)", failure=self._why))
                case other:
                    raise AssertionError(other)


@pytest.mark.parametrize("arguments", [True, False])
async def test_it_fails_at_once(tmp_path: Path, arguments: bool) -> None:
    async with a_gate(tmp_path) as scene:
        scene.network.kill("tools:main")
        scene.network.start("tools:main", Failing(arguments=arguments).run)
        with trio.fail_after(30), pytest.raises(Failed, match="not there"):
            await scene.authorise(call("write", path="a.txt"))


async def test_what_a_file_outside_has_in_it_is_asked_about_first(tmp_path: Path) -> None:
    async with a_gate(tmp_path) as scene:
        scene.network.kill("tools:main")
        scene.network.start("tools:main", Failing(arguments=False).run)
        scene.ask_for(call("write", path=str(tmp_path.parent / "elsewhere.txt")))
        _, question = await scene.question()

        assert WHY not in question.detail


async def test_what_a_call_would_do_is_looked_at_once(tmp_path: Path) -> None:
    worker = Failing(arguments=False, why="")
    async with a_gate(tmp_path) as scene:
        scene.network.kill("tools:main")
        scene.network.start("tools:main", worker.run)
        scene.ask_for(call("write", path="a.txt"))
        await scene.question()

    assert worker.previews == 1

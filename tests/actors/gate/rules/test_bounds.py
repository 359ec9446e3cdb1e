"""What takes too many steps, or is too much of something: it tightens and never loosens."""

from pathlib import Path

import msgspec
import pytest

from actors.errors import Failed
from actors.messages.model import Touch
from actors.messages.tool import Allowed, Denied
from tests.actors.gate.cases import around, judged, run, verdict
from tests.actors.gate.scenes import SPECS, a_gate, call
from tests.fakes.tools import FakeTools

DEEP = "/".join("a" * 500)
HARD = "**/*/" * 60 + "b"
"""A pattern that is about nothing in there, which takes many steps to find out."""


def test_a_rule_that_is_too_hard_to_compare_denies_and_does_not_allow(workspace: Path) -> None:
    denying = around(workspace, "auto", deny=(f"Read({HARD})",))
    allowing = around(workspace, allow=(f"Write({HARD})",))

    assert verdict(denying, "read", path=DEEP) == "deny"
    assert verdict(denying, "read", path="src/a.py") == "allow"
    assert verdict(allowing, "write", path=DEEP) == "ask"


@pytest.mark.parametrize(("command", "expected"), [("ls" + " -a" * 2000, "deny"), ("ls" + " -a" * 3, "allow")])
def test_a_rule_of_so_many_words_that_it_is_too_hard_to_compare_denies(
    workspace: Path, command: str, expected: str
) -> None:
    context = around(workspace, "auto", deny=(f"Bash(ls{' -a' * 600} b)",))

    assert run(context, command).decision.verdict == expected


def patch(files: int) -> str:
    return "*** Begin Patch\n" + "".join(f"*** Add File: new/{n}\n+x\n" for n in range(files)) + "*** End Patch"


def test_a_patch_of_more_files_than_one_call_may_name_is_refused(workspace: Path) -> None:
    context = around(workspace, "auto")

    assert verdict(context, "apply_patch", input=patch(200)) == "allow"
    with pytest.raises(Failed, match="names more than 200 files"):
        judged(context, "apply_patch", input=patch(201))


def test_so_is_any_other_call_that_names_so_many(workspace: Path) -> None:
    edits = [{"path": f"new/{n}"} for n in range(201)]

    assert verdict(around(workspace, "auto"), "multi_edit", edits=[*edits[:200], *edits[:200]]) == "allow"
    with pytest.raises(Failed, match="names more than 200 files"):
        judged(around(workspace, "auto"), "multi_edit", edits=edits)


async def test_the_gate_goes_on_after_a_call_that_names_too_many(tmp_path: Path) -> None:
    patching = msgspec.structs.replace(SPECS[1], name="apply_patch", touches=(Touch(scope="patch", argument="input"),))
    async with a_gate(tmp_path, "auto", tools=FakeTools((*SPECS, patching))) as scene:
        with pytest.raises(Failed) as refused:
            await scene.authorise(call("apply_patch", input=patch(5000)))
        after = await scene.authorise(call("apply_patch", input=patch(5)))

    assert refused.value.problem.code == "bad_arguments"
    assert isinstance(after, Allowed)


async def test_a_refusal_of_a_long_command_quotes_its_beginning(tmp_path: Path) -> None:
    long = f"make {'x' * 19_000}"
    async with a_gate(tmp_path, "default", interactive=False) as scene:
        refused = await scene.authorise(call("bash", command=long))

    assert isinstance(refused, Denied)
    assert f"`{long[:200]} [and 18,805 more characters]`" in refused.reason
    assert "To allow it: a rule for just this call, which is too long to be shown; or --mode auto" in refused.remedy
    assert len(refused.reason) < 1000


@pytest.mark.parametrize("path", ["/nowhere/" + "x" * 3000, "y/" * 500_000])
async def test_a_refusal_quotes_only_the_beginning_of_a_path(tmp_path: Path, path: str) -> None:
    async with a_gate(tmp_path, "default", interactive=False) as scene:
        refused = [
            await scene.authorise(call("read", path=path)),
            await scene.authorise(call("bash", command=f"cat {path[:20_000]}")),
        ]

    assert all(isinstance(one, Denied) and len(one.reason) < 2000 for one in refused)


async def test_a_question_about_a_long_command_has_all_of_it(tmp_path: Path) -> None:
    wanted = call("bash", command=f"make {'x' * 19_000}")
    async with a_gate(tmp_path) as scene:
        scene.ask_for(wanted)
        _, asked = await scene.question()

    assert asked.call == wanted
    assert any("x" * 19_000 in choice.label for choice in asked.choices)

"""The session's /tmp is one place to commands and file tools; the machine's is outside, and real once it is granted."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.errors import Failed
from actors.gate.decision import Context
from actors.gate.workers import kind_of
from actors.messages.tool import Mode, SandboxLevel
from tests.actors.gate.cases import TOOLS, around, judged, run

APART: tuple[SandboxLevel, ...] = ("bubblewrap", "namespaces")
WITHOUT: tuple[SandboxLevel, ...] = ("landlock", "none")


@pytest.fixture
def machines() -> Iterator[Path]:
    """A folder in the machine's /tmp with a file in it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        (Path(folder) / "crash.log").write_text("it fell")
        yield Path(folder)


def a_context(
    tmp_path: Path, mode: Mode = "auto", level: SandboxLevel = "bubblewrap", **rules: tuple[str, ...]
) -> Context:
    """The workspace is nowhere near; the session's folder is there."""
    temporary = tmp_path / "session" / "tmp"
    temporary.mkdir(parents=True)
    return replace(around(Path("/work"), mode, level=level, **rules), temporary=temporary)


def where(context: Context, tool: str, **arguments: object) -> tuple[str, str]:
    """The verdict, and which worker it runs in."""
    judgement = judged(context, tool, **arguments)
    kind = kind_of(judgement.call, TOOLS[tool], judgement.grant, context)
    return judgement.decision.verdict, kind or "own"


@pytest.mark.parametrize("level", APART)
def test_what_commands_have_at_tmp_file_tools_have_in_the_same_worker(tmp_path: Path, level: SandboxLevel) -> None:
    context = a_context(tmp_path, level=level)

    assert where(context, "write", path="/tmp/of-the-session/x") == ("allow", "own")
    assert where(context, "read", path="/tmp/of-the-session/x") == ("allow", "own")
    assert where(context, "grep", path="/tmp") == ("allow", "own")
    assert where(context, "copy", source="a", destination="/tmp/of-the-session/a") == ("allow", "own")
    assert run(context, "cat /tmp/of-the-session/x").decision.verdict == "allow"


@pytest.mark.parametrize("level", [*APART, *WITHOUT])
def test_its_real_path_is_the_sessions_at_every_level(tmp_path: Path, level: SandboxLevel) -> None:
    context = a_context(tmp_path, level=level)

    assert where(context, "write", path=f"{context.temporary}/x") == ("allow", "own")
    assert run(context, f"cat {context.temporary}/x").decision.rule != "outside the workspace"


def test_writing_there_is_decided_as_in_the_workspace(tmp_path: Path) -> None:
    context = a_context(tmp_path, "default")
    plan = replace(context, mode="plan")

    assert where(context, "write", path="/tmp/of-the-session/x") == ("ask", "own")
    assert judged(plan, "write", path="/tmp/of-the-session/x").decision.verdict == "deny"
    assert judged(plan, "read", path="/tmp/of-the-session/x").decision.verdict == "allow"


def test_a_yes_for_the_sessions_own_is_no_rule_for_the_machines(tmp_path: Path) -> None:
    judgement = judged(a_context(tmp_path, "default"), "write", path="/tmp/of-the-session/x")
    whole_tool = a_context(tmp_path / "other", "default", allow=("Write",))

    assert (judgement.session, judgement.always, judgement.wider) == ((), (), ())
    assert where(whole_tool, "write", path="/tmp/of-the-session/x") == ("allow", "own")


@pytest.mark.parametrize("level", WITHOUT)
def test_where_commands_have_no_tmp_of_their_own_it_is_outside(tmp_path: Path, level: SandboxLevel) -> None:
    context = a_context(tmp_path, level=level)

    assert where(context, "write", path="/tmp/of-the-session/x") == ("ask", "none")


def test_what_the_machine_has_there_is_outside_and_real(tmp_path: Path, machines: Path) -> None:
    context = a_context(tmp_path)
    allowed = replace(context, rules=around(Path("/work"), allow=(f"Read({machines}/**)",)).rules)

    assert where(context, "read", path=f"{machines}/crash.log") == ("ask", "none")
    assert where(context, "write", path=f"{machines}/crash.log") == ("ask", "none")
    assert where(allowed, "read", path=f"{machines}/crash.log") == ("allow", "none")


def test_what_the_session_has_of_that_name_is_meant(tmp_path: Path, machines: Path) -> None:
    context = a_context(tmp_path)
    assert context.temporary is not None
    (context.temporary / machines.name).mkdir()
    (context.temporary / machines.name / "crash.log").touch()

    assert where(context, "read", path=f"{machines}/crash.log") == ("allow", "own")


def test_what_a_rule_names_is_the_machines_also_before_it_is_there(tmp_path: Path) -> None:
    one = a_context(tmp_path, allow=("Write(/tmp/report.md)",))
    every = replace(one, rules=around(Path("/work"), allow=("Write(/**)",)).rules)

    assert where(one, "write", path="/tmp/report.md") == ("allow", "none")
    assert where(every, "write", path="/tmp/report.md") == ("allow", "own")


def test_a_call_that_no_worker_can_do_says_the_path_with_which_one_can(tmp_path: Path) -> None:
    context = a_context(tmp_path)

    with pytest.raises(Failed) as failure:
        where(context, "copy", source="/tmp/of-the-session/x", destination="/srv/x")

    assert f"Name it by its real path: {context.temporary}/of-the-session/x" in str(failure.value)
    assert where(context, "copy", source=f"{context.temporary}/x", destination="/srv/x") == ("ask", "none")


def test_moving_something_to_where_it_goes_with_the_session_asks(tmp_path: Path) -> None:
    assert where(a_context(tmp_path), "move", source="a", destination="/tmp/of-the-session/a") == ("ask", "own")


def test_a_home_folder_there_is_the_machines(tmp_path: Path) -> None:
    context = replace(a_context(tmp_path), shown=(Path("/tmp/home"),))

    assert where(context, "read", path="/tmp/home/x")[0] == "ask"
    assert where(context, "grep", path="/tmp")[0] == "ask"

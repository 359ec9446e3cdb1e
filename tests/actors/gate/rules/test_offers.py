"""What can be remembered of an answer, and what the user is told would change a decision."""

from pathlib import Path

import pytest

from actors.gate.rules.call_decision import Judgement
from tests.actors.gate.cases import around, judged, run


def offered(judgement: Judgement) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    return judgement.session, judgement.always, judgement.wider


def test_of_a_path_itself_and_wider_its_folder(workspace: Path) -> None:
    context, beside = around(workspace), workspace.parent / "beside"

    exactly = ("Write(src/a.py)",)
    assert offered(judged(context, "write", path="src/a.py")) == (exactly, exactly, ("Write(src/**)",))
    assert offered(judged(context, "write", path="top.py")) == (("Write(top.py)",), ("Write(top.py)",), ())
    assert judged(context, "read", path="../beside/b.txt").always == (f"Read({beside}/b.txt)",)
    assert judged(context, "read", path="../beside/b.txt").wider == (f"Read({beside}/**)",)
    assert judged(context, "edit", path="../beside/b.txt").session == (
        f"Read({beside}/b.txt)",
        f"Write({beside}/b.txt)",
    )
    assert judged(context, "write", path="app/[id]/page.tsx").wider == ("Write(app/[id]/**)",)


@pytest.mark.parametrize("path", ["/proc/self/status", "/sys/kernel/x"])
def test_what_is_another_thing_the_next_time_is_not_remembered(workspace: Path, path: str) -> None:
    judgement = judged(around(workspace), "read", path=path)

    assert offered(judgement) == ((), (), ())
    assert "--allow" not in judgement.decision.change


@pytest.mark.parametrize("command", ["for i in $(cat what); do $i; done", "read i; make $i", "$(cat what)"])
def test_no_rule_is_about_words_that_nobody_knows(workspace: Path, command: str) -> None:
    judgement = run(around(workspace), command)

    assert offered(judgement) == ((), (), ())
    assert "--allow" not in judgement.decision.change
    for rule in ("Bash($i)", "Bash(make $i)", "Bash($(cat what))"):
        assert run(around(workspace, allow=(rule,)), command).decision.verdict == "ask"


def test_never_all_of_a_home_or_more(workspace: Path) -> None:
    user = workspace.parent / "user"

    assert judged(around(workspace), "read", path="~/notes.txt").wider == ()
    assert judged(around(workspace), "read", path="~/notes.txt").always == (f"Read({user}/notes.txt)",)
    assert judged(around(workspace), "read", path="/x").always == ("Read(/x)",)
    assert judged(around(workspace), "read", path="~").always == (f"Read({user})",)


def test_a_name_that_would_be_a_pattern_is_not_offered(workspace: Path) -> None:
    assert offered(judged(around(workspace), "write", path="a*b")) == ((), (), ())
    assert offered(judged(around(workspace), "write", path="a?/b")) == ((), (), ())


def test_of_a_command_its_parts(workspace: Path) -> None:
    both = ("Bash(npm test)", "Bash(make lint)")

    assert offered(run(around(workspace), "ls && npm test && make lint")) == (
        both,
        both,
        ("Bash(npm test:*)", "Bash(make lint:*)"),
    )
    assert run(around(workspace), "pip install x").wider == ("Bash(pip install:*)",)
    assert run(around(workspace, "auto"), "pip install x && make lint").always == (
        "Bash(pip install x)",
        "Bash(make lint)",
    )


@pytest.mark.parametrize(
    "command",
    ["python3 build", "node server", "bash script", "./tool", "npm --version x", "ssh host", "curl example", "sudo ls"],
)
def test_with_any_arguments_is_not_offered_for_what_runs_anything(workspace: Path, command: str) -> None:
    assert run(around(workspace), command).wider == ()


@pytest.mark.parametrize(
    "command",
    [
        *("git push --force", "sudo ls", "$PROGRAM", "sed -n 1,20p ~/x"),
        *("wc -l $FILE", "python3 <<E\nx\nE", "echo x > src/a.py"),
    ],
)
def test_nothing_is_offered_that_must_not_be_remembered(workspace: Path, command: str) -> None:
    judgement = run(around(workspace), command)

    assert (judgement.decision.verdict, offered(judgement)) == ("ask", ((), (), ()))


def test_of_deletions_and_ask_rules_nothing_is_offered(workspace: Path) -> None:
    asking = around(workspace, ask=("Write",))

    assert offered(judged(around(workspace), "delete", path="src/a.py")) == ((), (), ())
    assert offered(judged(asking, "write", path="src/a.py")) == ((), (), ())


def test_of_other_tools_the_domain_the_server_s_tool_the_name(workspace: Path) -> None:
    context = around(workspace)

    assert judged(context, "web_fetch", url="https://docs.python.org/3").always == ("Web(docs.python.org)",)
    assert judged(context, "web_fetch", url="nonsense").always == ()
    assert judged(context, "github___create_issue").always == ("Mcp(github:create_issue)",)
    assert judged(context, "web_search").always == ("WebSearch",)


def test_what_would_change_it_is_said(workspace: Path) -> None:
    config = workspace.parent / "home" / "config.toml"
    context = around(workspace)

    assert judged(context, "write", path="src/a.py").decision.change == (
        f"--allow 'Write(src/a.py)', or in {config}: [permissions] allow = [\"Write(src/a.py)\"]; "
        "or --mode accept-edits or auto"
    )
    assert judged(around(workspace, "plan"), "write", path="src/a.py").decision.change == (
        "another mode: default, accept-edits, auto"
    )
    assert run(context, "git push --force").decision.change == ""
    assert "--allow 'Bash(echo '\\''a b'\\'' | ./tool)'" not in run(context, "echo 'a b' | ./tool").decision.change
    assert judged(around(workspace, "auto"), "write", path="src/a.py").decision.change == ""

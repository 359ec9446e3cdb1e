"""git that only looks: in the workspace's repository, and with what our environment tells it."""

from pathlib import Path

import pytest

from tests.actors.gate.cases import around, run


@pytest.fixture
def nested(workspace: Path) -> Path:
    """With a repository in `sub`, one whose folder is elsewhere in `tree`, and a bare one in `docs/ref`."""
    for folder in ("sub/.git", "sub/below", "tree", "docs/ref/objects", "docs/ref/refs", "docs/below"):
        (workspace / folder).mkdir(parents=True)
    (workspace / "tree" / ".git").write_text("gitdir: ../sub/.git\n")
    (workspace / "docs" / "ref" / "HEAD").write_text("ref: refs/heads/main\n")
    (workspace / "link").symlink_to("sub/below")
    return workspace


@pytest.mark.parametrize(
    "command",
    ["git status", "git -C src log", "git -C docs/below log", "cd docs && git status", "git -C sub -C ../src diff"],
)
def test_looking_at_the_workspaces_repository_is_free(nested: Path, command: str) -> None:
    assert run(around(nested), command).decision.verdict == "allow"


@pytest.mark.parametrize(
    "command",
    [
        *("git -C sub status", "git -C sub/below log", "git -C docs -C ref status", "git -C tree status"),
        *("cd sub && git status", "cd sub; cd below; git log", "git -C link status", "cd docs/ref && git log"),
        *("git -C not-there status", "(cd sub && bash -c 'git status')", "git -C docs/r* status"),
        *("git -C $X status", "cd $X && git status", "cd - && git status", "git -C ~+/sub status"),
        *("env -i git status", "env - git status", "env -u GIT_CONFIG_COUNT git status", "exec -c git status"),
        *("export -n GIT_CONFIG_COUNT; git status", "declare +x GIT_CONFIG_COUNT; git status", "env -S '-i' git log"),
        *("typeset +x GIT_CONFIG_COUNT; git status", "(exec -cl git status)", "env --unset=GIT_CONFIG_COUNT git log"),
        *("unset GIT_CONFIG_COUNT; git status", "GIT_CONFIG_COUNT=0 git status", "git --git-dir=sub/.git status"),
        *("env -iu X git status", "env --ignore-env git status", "git -c core.fsmonitor=./x status"),
    ],
)
def test_looking_at_another_or_without_our_environment_asks(nested: Path, command: str) -> None:
    assert run(around(nested), command).decision.verdict == "ask"


@pytest.mark.parametrize("command", ["git -C sub status", "cd sub && git log -p", "env -i git status"])
def test_in_auto_it_runs_in_the_sandbox(nested: Path, command: str) -> None:
    assert run(around(nested, "auto"), command).decision.verdict == "allow"


@pytest.mark.parametrize("command", ["git -C ../beside log", "git -C ~/x log"])
def test_looking_at_one_outside_the_workspace_asks_in_every_mode(workspace: Path, command: str) -> None:
    assert run(around(workspace, "auto"), command).decision.verdict == "ask"


def test_a_workspace_inside_a_repository_looks_at_that(workspace: Path) -> None:
    assert run(around(workspace / "src"), "git log").decision.verdict == "allow"


@pytest.mark.parametrize(
    "settings",
    [
        *("[diff]\n external = ./x", '[diff "d"] command = ./x', '[DIFF "d"]\n\tTextConv=./x', "[diff]\nexternal"),
        *('[filter "f"]\n\tclean = ./x', '[filter "f"]process=./x', "[include]\n path = ../more", '[ includeIf "x"]'),
        '[filter "lfs"]\n\tclean = git-lfs clean -- %f; ./x',
        "#" * 70_000,
    ],
)
@pytest.mark.parametrize("file", ["config", "config.worktree"])
def test_looking_asks_where_the_repositorys_own_settings_name_programs(
    workspace: Path, settings: str, file: str
) -> None:
    (workspace / ".git" / file).write_text(f"[core]\n\tbare = false\n{settings}\n")

    assert run(around(workspace), "git diff").decision.verdict == "ask"
    assert run(around(workspace, "auto"), "git diff").decision.verdict == "allow"
    assert run(around(workspace, allow=("Bash(git diff)",)), "git diff").decision.verdict == "allow"


def test_settings_of_a_repository_that_is_elsewhere_count(workspace: Path, tmp_path: Path) -> None:
    common = tmp_path / "common"
    (common / "worktrees" / "w").mkdir(parents=True)
    (common / "worktrees" / "w" / "commondir").write_text("../..\n")
    (common / "config").write_text("[diff]\n\texternal = ./x\n")
    (workspace / ".git").rename(tmp_path / "former")
    (workspace / ".git").write_text(f"gitdir: {common}/worktrees/w\n")

    assert run(around(workspace), "git diff").decision.verdict == "ask"


def test_settings_that_name_no_program_do_not_count(workspace: Path) -> None:
    (workspace / ".git" / "config").write_text(
        "[core]\n\tsshCommand = ssh -i ~/.ssh/work\n[diff]\n\tcolorMoved = zebra\n"
        '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n'
        '\tprocess = git-lfs filter-process\n\trequired = true\n[remote "origin"]\n\turl = x.org:external.git\n'
    )

    assert run(around(workspace), "git diff").decision.verdict == "allow"


@pytest.mark.parametrize("command", ["git diff --submodule=diff", "git log -p --subm=diff", "git show --submodule"])
def test_looking_into_submodules_asks(workspace: Path, command: str) -> None:
    assert run(around(workspace), command).decision.verdict == "ask"


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("make && git push", "`git push`: it runs outside the sandbox"),
        ("git init -q; git submodule add ./sub part", "`git submodule add ./sub part`: it runs outside"),
        ("make; npm install x", "`npm install x`: it reaches the network"),
    ],
)
def test_the_part_is_named_for_which_all_of_the_line_leaves_the_sandbox(
    workspace: Path, command: str, named: str
) -> None:
    assert run(around(workspace, "auto"), command).decision.why.startswith(named)

"""What is meant by a target, in real repositories, also in one that was made to do harm."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.repositories import git
from ui.common.usage_errors import Usage
from ui.findings import markdown
from ui.review import targets
from ui.review.targets import Target

TRAP = """#!/bin/sh
touch "{mark}"
cat
"""
COMMANDS = (
    *("core.fsmonitor", "core.pager", "core.sshCommand", "core.alternateRefsCommand", "core.askPass"),
    *("diff.external", "diff.bad.command", "diff.bad.textconv", "filter.bad.clean", "filter.bad.smudge"),
    *("filter.Other Bad.process", "pager.diff", "gpg.program", "uploadpack.packObjectsHook"),
)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.py").write_text("one\ntwo\n")
    commit(folder, "first")
    return folder


def commit(folder: Path, message: str) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def find(folder: Path, said: str = "", *, staged: bool = False, hidden: tuple[str, ...] = ()) -> Target:
    return targets.find(said, folder, hidden, staged=staged)


def added(target: Target) -> dict[str, list[str]]:
    return {
        file.path: [line.text for hunk in file.hunks for line in hunk if line.sign == "+"]
        for file in target.changes.files
    }


def skipped(target: Target) -> dict[str, str]:
    return {one.path: one.reason for one in target.changes.skipped}


def test_what_is_not_committed_has_new_files_too_but_none_that_are_ignored(repo: Path) -> None:
    (repo / ".gitignore").write_text("*.log\n")
    (repo / "a.py").write_text("one\nzwei\n")
    (repo / "sub").mkdir()
    (repo / "sub" / "new file").write_text("new\n")
    (repo / "x.log").write_text("ignored\n")
    git(repo, "add", ".gitignore")

    found = find(repo)

    assert (found.kind, found.what) == ("working tree", "what is not committed")
    assert added(found) == {".gitignore": ["*.log"], "a.py": ["zwei"], "sub/new file": ["new"]}
    assert added(find(repo / "sub")) == added(found)


def test_staged_is_what_is_staged_alone(repo: Path) -> None:
    (repo / "a.py").write_text("one\nstaged\n")
    git(repo, "add", "a.py")
    (repo / "a.py").write_text("one\nlater\n")
    (repo / "new").write_text("new\n")

    assert added(find(repo, staged=True)) == {"a.py": ["staged"]}


def test_before_the_first_commit_all_is_new(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a").write_text("a\n")
    (tmp_path / "b").write_text("b\n")
    git(tmp_path, "add", "a")

    assert added(find(tmp_path)) == {"a": ["a"], "b": ["b"]}
    assert added(find(tmp_path, staged=True)) == {"a": ["a"]}


@pytest.mark.parametrize("said", ["main..side", "main...side", "side", "main..", "..side"])
def test_of_a_range_or_branch_it_is_what_has_come_since_the_two_parted(repo: Path, said: str) -> None:
    git(repo, "checkout", "-q", "-b", "side")
    (repo / "side").write_text("side\n")
    head = commit(repo, "side")
    git(repo, "checkout", "-q", "main")
    (repo / "main").write_text("main\n")
    commit(repo, "main")
    git(repo, "checkout", "-q", "main" if said == "..side" else "side")

    found = find(repo, said)

    assert (found.kind, found.head, added(found)) == ("commits", head, {"side": ["side"]})


def test_a_commit_is_compared_with_the_one_before_and_the_first_with_nothing(repo: Path) -> None:
    (repo / "a.py").write_text("one\ntwo\nthree\n")
    commit(repo, "second")

    assert added(find(repo, "HEAD")) == {"a.py": ["three"]}
    assert added(find(repo, "HEAD~1")) == {"a.py": ["one", "two"]}


def test_changes_come_with_forty_lines_around_them(repo: Path) -> None:
    (repo / "long").write_text("".join(f"{number}\n" for number in range(1, 201)))
    commit(repo, "long")
    (repo / "long").write_text("".join(f"{number}\n" if number != 100 else "hundred\n" for number in range(1, 201)))

    lines = find(repo).changes.files[0].hunks[0]

    assert (lines[0].number, lines[-1].number) == (60, 140)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("nothing", "nothing is no commit here. Name a branch, a commit, BASE..HEAD, '#123' or -"),
        ("a.py", r"It is a file: git diff HEAD -- a.py \| trouper review -"),
        ("main", r"main is what others are compared with. Say since when: trouper review COMMIT\.\.main"),
        ("--output=x", "--output=x is no commit here"),
        ("main..--output=x", "--output=x is no commit here"),
        ("a\0b", "is no commit here"),
    ],
)
def test_what_names_nothing_is_told_with_what_to_say_instead(repo: Path, said: str, why: str) -> None:
    with pytest.raises(Usage, match=why):
        find(repo, said)

    assert not (repo / "x").exists()


def test_outside_of_a_repository_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="is in no git repository"):
        find(tmp_path)


def test_secrets_pipes_links_and_what_is_too_large_are_left_out_and_nothing_hangs(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("not yours\n")
    (repo / "link").symlink_to(tmp_path / "outside")
    (repo / ".env").write_text("KEY=1\n")
    (repo / "large").write_bytes(b"x\n" * 1_000_000)
    (repo / "binary").write_bytes(b"\0\1")
    (repo / "empty").write_bytes(b"")
    os.mkfifo(repo / "pipe")
    (repo / "inner").mkdir()
    git(repo / "inner", "init", "-q")
    (repo / "inner" / "theirs").write_text("theirs\n")
    (repo / "one\nline").write_text("odd\n")
    (repo / "ISSUES.md").write_text(f"{markdown.BEGINS}\n# Review\n")
    (repo / "a.py").write_text('password = "correct-horse-battery"\n')

    found = find(repo)

    assert added(found) == {"a.py": ['password = "[redacted]"']}
    assert skipped(found) == {
        "link": "not a regular file",
        ".env": "secret file",
        "large": "too large",
        "binary": "binary",
        "empty": "empty",
        "ISSUES.md": "own report",
        "one\\x0aline": "unprintable name",
        "inner/": "not a regular file",
    }


def test_a_rule_that_closes_files_to_reading_counts(repo: Path) -> None:
    (repo / "a.py").write_text("changed\n")
    (repo / "b.py").write_text("new\n")

    found = find(repo, hidden=("a.*",))

    assert (added(found), skipped(found)) == ({"b.py": ["new"]}, {"a.py": "closed by a rule"})


def test_nothing_that_a_repository_configures_is_run(repo: Path, tmp_path: Path) -> None:
    mark, command = tmp_path / "mark", tmp_path / "bad.sh"
    (repo / "a.bin").write_text("one\n")
    (repo / ".gitattributes").write_text("a.* diff=bad filter=bad\nb.* filter=Other\\ Bad diff=bad\n")
    commit(repo, "attributes")
    command.write_text(TRAP.format(mark=mark))
    command.chmod(0o755)
    for key in COMMANDS:
        git(repo, "config", key, str(command))
    git(repo, "config", "filter.Other Bad.required", "true")
    hook = repo / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(TRAP.format(mark=mark))
    hook.chmod(0o755)
    (repo / "a.py").write_text("changed\n")
    (repo / "a.bin").write_text("two\n")
    (repo / "b.bin").write_text("new\n")

    every = [find(repo), find(repo, staged=True), find(repo, "HEAD"), find(repo, "HEAD~1..HEAD")]

    assert not mark.exists()
    assert added(every[0]) == {"a.bin": ["two"], "a.py": ["changed"], "b.bin": ["new"]}
    subprocess.run(["git", "diff"], cwd=repo, check=False, capture_output=True)
    assert mark.exists()  # the trap is one


def test_files_elsewhere_are_not_reached_through_a_setting_or_a_file_of_git(repo: Path, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "a.py").write_text("private\n")
    git(repo, "config", "core.worktree", str(private))
    door = tmp_path / "door"
    door.mkdir()
    (door / ".git").write_text(f"gitdir: {repo}/.git\n")

    assert added(find(repo)) == {}
    with pytest.raises(Usage, match="is another repository and does not know this folder"):
        find(door)


def test_too_much_is_refused_with_what_to_do(repo: Path) -> None:
    (repo / "a.py").write_text(f"{'x' * 99}\n" * 100_000)
    git(repo, "add", "-A")

    with pytest.raises(Usage, match=r"prints more than 8 MB.*HEAD~3..HEAD, or give a part"):
        find(repo)


def test_what_a_shallow_clone_lacks_is_told_and_not_taken_for_nothing(repo: Path, tmp_path: Path) -> None:
    for number in range(3):
        (repo / "a.py").write_text(f"{number}\n")
        commit(repo, str(number))
    git(repo, "branch", "side", "HEAD~2")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repo}", str(clone))

    with pytest.raises(Usage, match=r"is not here\. If the clone is a shallow one: git fetch --unshallow"):
        find(clone, "HEAD")
    with pytest.raises(Usage, match=r"no commit in common here\. If the clone is a shallow one"):
        find(clone, "origin/side..HEAD")

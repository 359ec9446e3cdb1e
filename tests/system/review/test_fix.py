"""`trouper review --fix`: one agent and one commit a finding, on a branch of its own."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fakes.gh import Gh
from tests.repositories import git
from tests.system.harness import Event, Place, answer
from tests.system.review.changed import (
    ASKED,
    DIVIDES,
    UNTESTED,
    begin,
    case,
    commit,
    edits,
    finding,
    model,
    says,
    write,
)

pytestmark = pytest.mark.slow
MENDS = (
    case(DIVIDES, *edits("divide.py", "x / 0", "x / 2")),
    case(UNTESTED, *edits("count.py", "line five", "line 5")),
)


def branches(place: Place) -> list[str]:
    return git(place.workspace, "for-each-ref", "--format=%(refname:short)", "refs/heads/trouper").split()


def subjects(place: Place, span: str) -> list[str]:
    """The first first."""
    return git(place.workspace, "log", "--reverse", "--format=%s", span).splitlines()


def untouched(place: Place) -> tuple[str, str, str]:
    """What of the user's must stay."""
    root = place.workspace
    return git(root, "status", "--porcelain", "--branch"), git(root, "rev-parse", "HEAD"), git(root, "diff", "HEAD")


def test_each_finding_becomes_a_commit_that_the_check_has_passed_and_what_is_the_users_stays(place: Place) -> None:
    root = begin(place)
    before = untouched(place)
    tested = "grep -q 'x / 2' divide.py || grep -q 'line 5' count.py"

    done = place.run("review", "--model", model(place, *MENDS), "--fix", "all", "--check", tested)

    assert done.code == 0, done.err
    assert untouched(place) == before
    (branch,) = branches(place)
    assert subjects(place, f"HEAD..{branch}") == ["What was not committed when it was reviewed", DIVIDES, UNTESTED]
    assert git(root, "show", f"{branch}:divide.py").endswith("x / 2")
    assert git(root, "show", f"{branch}:count.py").endswith("line 5")
    assert "Review-Finding: " in git(root, "log", "-1", "--format=%B", branch)
    (apply,) = re.findall(r"git diff \S+ \S+", done.err)
    git(root, "fsck", "--strict")
    patch = git(root, *apply.split()[1:])
    assert ("+    return x / 2" in patch, "+line 5" in patch) == (True, True)


def test_what_is_committed_is_fixed_on_top_of_its_commit_and_can_be_picked(place: Place) -> None:
    root = begin(place)
    git(root, "checkout", "-q", "-b", "side")
    head = commit(root, "second")
    git(root, "checkout", "-q", "main")

    done = place.run("review", "side", "--model", model(place, *MENDS), "--fix", "high")

    assert done.code == 0, done.err
    (branch,) = branches(place)
    assert subjects(place, f"{head}..{branch}") == [DIVIDES]
    assert git(root, "rev-parse", "side") == head
    (pick,) = re.findall(r"git cherry-pick \S+", done.err)
    git(root, "checkout", "-q", "side")
    git(root, *pick.split()[1:])
    assert (root / "divide.py").read_text().endswith("x / 2\n")


def test_a_pull_request_whose_commit_is_here_is_fixed_on_top_of_it(place: Place, tmp_path: Path) -> None:
    root = begin(place)
    git(root, "checkout", "-q", "-b", "theirs")
    head = commit(root, "second")
    git(root, "checkout", "-q", "main")
    diff = git(root, "diff", "main", "theirs")
    gh = Gh(tmp_path / "bin", 123, f"{diff}\n", headRefOid=head)

    done = place.run("review", "123", "--model", model(place, *MENDS), "--fix", "high", PATH=gh.path)

    assert done.code == 0, done.err
    (branch,) = branches(place)
    assert subjects(place, f"{head}..{branch}") == [DIVIDES]
    assert {tuple(words[:2]) for words, _ in gh.calls()} == {("pr", "view"), ("pr", "diff")}


def test_what_is_not_fixed_is_told_with_why(place: Place) -> None:
    begin(place)
    conflicting = finding("The same line otherwise", "divide.py", 2, "    return x / 0", "medium")
    same = finding("The same again", "divide.py", 2, "    return x / 0", "info")
    found = says(
        finding(DIVIDES, "divide.py", 2, "    return x / 0"),
        {**conflicting, "kind": "correctness-y"},
        finding(UNTESTED, "count.py", 5, "line five", "low"),
        {**same, "kind": "correctness-z"},
    )
    mends = (
        case(DIVIDES, *edits("divide.py", "x / 0", "x / 2")),
        case("The same line otherwise", *edits("divide.py", "x / 0", "x / 3")),
        case(UNTESTED, answer("It is not true.")),
        case("The same again", *edits("divide.py", "x / 0", "x / 2")),
        case(ASKED, found),
    )

    done = place.run("review", "--model", model(place, *mends), "--fix", "all")

    assert done.code == 1, done.err
    (branch,) = branches(place)
    assert subjects(place, f"HEAD..{branch}")[1:] == [DIVIDES]
    left = told(done.err, "not fixed: ")
    assert [line.partition(": ")[0] for line in left] == ["The same line otherwise", UNTESTED, "The same again"]
    assert "does not go together with the fixes before: divide.py: changed on both sides, in the same lines" in left[0]
    assert "refs/trouper/work/" in left[0]
    assert "nothing was changed: It is not true." in left[1]
    assert "the fixes before have done the same" in left[2]


def test_what_passes_alone_and_fails_with_the_others_is_no_commit(place: Place) -> None:
    root = begin(place)
    either = "grep -q 'x / 0' divide.py || grep -q five count.py"

    done = place.run("review", "--model", model(place, *MENDS), "--fix", "all", "--check", either)

    assert done.code == 1, done.err
    (branch,) = branches(place)
    assert subjects(place, f"HEAD..{branch}")[1:] == [DIVIDES]
    assert f"not fixed: {UNTESTED}: together with the fixes before the check fails" in done.err
    assert git(root, "show", f"{branch}:count.py").endswith("line five")


def test_where_the_check_fails_there_is_no_branch(place: Place) -> None:
    begin(place)

    done = place.run("review", "--model", model(place, *MENDS), "--fix", "high", "--check", "echo broken; false")

    assert done.code == 1
    assert f"not fixed: {DIVIDES}: the check failed: `echo broken; false` ended with 1: broken" in done.err
    assert branches(place) == []


def test_a_finding_that_asks_for_more_than_a_fix_gets_no_more_than_a_worktree(place: Place) -> None:
    root = begin(place)
    evil = (
        answer("", {"name": "bash", "arguments": {"command": f"echo evil > {root}/evil; echo evil > inner"}}),
        answer("", {"name": "write", "arguments": {"path": str(root / "evil"), "content": "evil"}}),
        *edits("divide.py", "x / 0", "x / 2"),
    )

    done = place.run("review", "--model", model(place, case(DIVIDES, *evil)), "--fix", "high")

    assert not (root / "evil").exists()
    assert git(root, "status", "--porcelain").split("\n") == ["M count.py", " M divide.py"]
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    "faults", ["checkpoints:kill@text:Review-Finding", "ui:kill@text:is-checked", "gate:kill@text:is-checked"]
)
def test_whoever_is_killed_while_commits_are_made_there_is_one_a_finding(place: Place, faults: str) -> None:
    begin(place)
    check = ("--check", "echo is-checked", "--workers", "1")  # a call of an agent whose outcome is unknown is its own

    done = place.run("review", "--model", model(place, *MENDS), "--fix", "all", *check, TROUPER_CHAOS=faults)

    assert done.code == 0, done.err
    (branch,) = branches(place)
    assert subjects(place, f"HEAD..{branch}")[1:] == [DIVIDES, UNTESTED]
    git(place.workspace, "fsck", "--strict")


@pytest.mark.parametrize("resumed", [False, True])
def test_an_interrupted_fix_goes_on_where_it_was(place: Place, resumed: bool) -> None:
    begin(place)
    stuck: Sequence[Event] = (answer("", delay_s=3600),)
    held = model(place, MENDS[0], case(UNTESTED, *stuck))

    session = place.start("review", "--model", held, "--fix", "all")
    session.err.until(lambda lines: any(b"[1/2]" in line and b"done" in line for line in lines))
    session.kill_supervisor()
    if resumed:
        write(place.workspace, divisor="9", count="nine")  # it goes on with what it was about
    model(place, *MENDS)
    done = place.run("review", "--resume") if resumed else place.run("review", "--model", held, "--fix", "all")

    assert done.code == 0, done.err
    (branch,) = branches(place)
    assert subjects(place, f"HEAD..{branch}")[1:] == [DIVIDES, UNTESTED]
    assert "answered before" in done.err
    assert "2 tasks (1 done" in done.err


def test_limits_are_for_the_review_and_its_fixes_together(place: Place) -> None:
    begin(place)
    limited = ("--fix", "high", "--max-tokens", "111")

    done = place.run("review", "--model", model(place, *MENDS), *limited)
    more = place.run("review", "--resume", "--max-tokens", "1000000")

    assert (done.code, branches(place) != []) == (4, True), more.err
    assert "limit" in done.err
    assert more.code == 0, more.err


def told(err: str, beginning: str) -> list[str]:
    return [line.removeprefix(beginning) for line in err.splitlines() if line.startswith(beginning)]

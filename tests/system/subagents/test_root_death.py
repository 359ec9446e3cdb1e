"""SIGKILL to the supervisor while subagents run commands: nothing is left running, and no work of theirs is lost."""

from pathlib import Path

import pytest

from tests.system.harness import Place, Session, answer, call, until
from tests.system.stubborn import STUBBORN
from tests.system.subagents.words import case, git, repository, spawn, tool

pytestmark = pytest.mark.slow
TWO = ("one", "two")


def working(place: Place) -> Session:
    """Two that write, each in its worktree, with a file of their own and a command that leaves others behind."""
    repository(place)
    jobs = [spawn(name, f"task of {name}", isolation="worktree", type="general") for name in TWO]
    model = place.script(
        answer("", *jobs),
        cases=[
            case(
                f"task of {name}",
                answer("", tool("write", path=f"{name}.txt", content=f"{name}\n")),
                answer("", call("bash", command=STUBBORN)),
                answer(f"{name} is done"),
            )
            for name in TWO
        ],
    )
    session = place.prompt(model)
    until(lambda: len(list((place.home / "worktrees").glob("*/work/daemon"))) == len(TWO))
    return session


def test_nothing_of_them_is_left(place: Place) -> None:
    session = working(place)

    assert session.kill_supervisor() == []

    until(lambda: place.left() == [])


def test_the_next_run_goes_on_with_them_and_no_work_is_lost(place: Place) -> None:
    working(place).kill_supervisor()

    gone_on = place.prompt(place.script(name="rest"), "-c").finish()

    bodies = [entry["body"] for entry in place.entries(gone_on.events[-1]["session"])]
    assert gone_on.code == 0, gone_on.err
    assert sorted(body["name"] for body in bodies if body["type"] == "SubagentEnded") == sorted(TWO)
    assert kept(place) >= {f"{name}.txt" for name in TWO}
    assert left_copies(place) == []
    assert place.left() == []


def test_where_nobody_goes_on_another_program_keeps_their_work_and_removes_the_copies(place: Place) -> None:
    assert working(place).kill_supervisor() == []
    note = answer("", call("write", path="b.txt", content="b\n"))
    there = left_copies(place)

    another = place.prompt(place.script(note, answer("", delay_s=3600), name="long"))
    until(lambda: left_copies(place) == [])

    assert len(there) == len(TWO)
    assert kept(place) == {"a.txt", *(f"{name}.txt" for name in TWO), "daemon"}
    assert another.kill_supervisor() == []


def left_copies(place: Place) -> list[Path]:
    return list((place.home / "worktrees").glob("[!.]*"))


def kept(place: Place) -> set[str]:
    """Files of all work that refs of the user's repository keep."""
    refs = git(place, "for-each-ref", "--format=%(refname)", "refs/trouper/work").split()
    return {name for ref in refs for name in git(place, "ls-tree", "--name-only", ref).split()}

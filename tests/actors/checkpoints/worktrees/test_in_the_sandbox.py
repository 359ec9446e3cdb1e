"""An agent at work in a worktree, by a real worker: git works there, and the user's repository is out of reach."""

from pathlib import Path

import pytest

from actors.confinement.sandbox import levels
from actors.messages.tool import Grant
from actors.settings.config import SandboxChoice
from tests.actors.checkpoints.places import state
from tests.actors.checkpoints.worktrees.copies import Copies, files
from tests.actors.tools.sandboxed import Sandboxed, confined_to

COMMIT = "git -c user.name=A -c user.email=a@example.org commit -q"

pytestmark = pytest.mark.slow


def working(copies: Copies, cwd: str) -> Sandboxed:
    return Sandboxed(confined_to(Path(cwd), copies.home), environment={"HOME": str(copies.home.parent / "user")})


def test_git_works_in_a_worktree_and_everything_around_it_is_closed(copies: Copies) -> None:
    copies.write("a.txt", "one\n")
    copies.write("dir/b.txt", "two\n")
    copies.begin()
    (copies.home / "secret").write_text("key\n")
    copies.make("s.2")
    made = copies.make()
    users = state(copies.root / ".git")

    with working(copies, made.cwd) as worker:
        if worker.level not in levels.LAUNCHED:
            pytest.skip(f"no sandbox with a view of its own here: {worker.detail}")
        looked = worker.bash("git status --short && git log --oneline && git show HEAD:dir/b.txt")
        worked = worker.bash(
            f"echo new > n.txt && echo 1 >> a.txt && git add -A && {COMMIT} -m work && git log --oneline"
        )
        home = worker.bash(f"cd '{copies.home}'; ls -A . worktrees worktrees/s.1; cat secret")
        closed = [
            worker.bash(f"{command} 2>&1")
            for command in (
                "echo x >> .git/config",
                "echo x > .git/hooks/post-commit",
                "mv .git aside",
                f"echo x > '{copies.root}/a.txt'",
                f"echo x > '{copies.root}/.git/objects/x'",
                f"echo x > '{copies.root}/.git/refs/heads/x'",
                f"ls '{copies.home}/worktrees/s.2/my work'",
                f"echo x > '{copies.home}/worktrees/s.1/note'",
            )
        ]
        grant = Grant(paths=(made.top, str(copies.home)))
        read = worker.call("read", grant, path="a.txt")
        written = worker.call("write", grant, path="w.txt", content="w\n")
        protected = worker.call("write", grant, path=".git/config", content="w\n")
        other = worker.call("read", grant, path=str(copies.home / "secret"))

    assert not looked.failed, looked.output
    assert "two" in looked.output
    assert not worked.failed, worked.output
    assert "work" in worked.output
    assert home.output.splitlines()[:5] == [".:", "worktrees", "", "worktrees:", "s.1"]
    assert "key" not in home.output
    assert [outcome.failed for outcome in closed] == [True] * len(closed), [outcome.output for outcome in closed]
    assert (read.failed, written.failed, protected.failed, other.failed) == (False, False, True, True)
    assert state(copies.root / ".git") == users
    assert copies.patch().files == ("a.txt", "n.txt", "w.txt")
    wanted = files(Path(made.top))
    assert files(copies.kept(copies.remove())) == wanted


def test_a_place_below_the_top_sees_its_repository(copies: Copies) -> None:
    copies.write("dir/b.txt", "two\n")
    copies.begin()
    made = copies.make(cwd=copies.root / "dir")

    with working(copies, made.cwd) as worker:
        looked = worker.bash("ls && git status --short && git log --oneline")

    assert Path(made.cwd) == Path(made.top) / "dir"
    assert not looked.failed, looked.output
    assert "b.txt" in looked.output


def test_a_copy_does_not_say_itself_what_is_shown(copies: Copies) -> None:
    copies.write("a.txt", "one\n")
    copies.begin()
    made = copies.make()
    hidden = copies.home / "hidden"
    hidden.mkdir()
    (hidden / "secret").write_text("key\n")
    (Path(made.top) / ".git/objects/info/alternates").write_text(f"{hidden}\n")

    with working(copies, made.cwd) as worker:
        if worker.level not in levels.LAUNCHED:
            pytest.skip(f"no sandbox with a view of its own here: {worker.detail}")
        looked = worker.bash(f"cat '{hidden}/secret'")

    assert looked.failed
    assert "key" not in looked.output


@pytest.mark.parametrize("sandbox", ["auto", "namespaces", "landlock"])
def test_a_copy_of_a_copy_is_worked_in_too(copies: Copies, sandbox: SandboxChoice) -> None:
    copies.write("a.txt", "one\n")
    copies.begin()
    outer = copies.make("r.t")
    copies.write("b.txt", "two\n", within=Path(outer.top))
    made = copies.make("r.t.1", cwd=Path(outer.cwd), changes=True)
    settings = confined_to(Path(made.cwd), copies.home, sandbox)

    with Sandboxed(settings, environment={"HOME": str(copies.home.parent / "user")}) as worker:
        worked = worker.bash(f"cat b.txt && echo x > c.txt && git add -A && {COMMIT} -m work && git log --oneline")
        closed = worker.bash(f"echo x > '{outer.top}/.git/objects/x'")

    assert not worked.failed, worked.output
    assert "two" in worked.output
    if worker.level != "none":
        assert closed.failed
    assert copies.patch("r.t.1").files == ("c.txt",)

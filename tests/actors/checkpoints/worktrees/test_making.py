"""Worktrees of all kinds of repositories: made, made again, or refused with the reason; nothing of theirs is run."""

import os
from pathlib import Path

import pytest

from actors.checkpoints.worktrees.keyed_folder import OfHome
from actors.checkpoints.worktrees.requests import answer
from actors.errors import Failed
from actors.messages.checkpoint import MakeWorktree
from tests.actors.checkpoints.places import state
from tests.actors.checkpoints.worktrees.copies import Copies, files
from tests.repositories import git

HOOKS = ("post-checkout", "post-commit", "post-index-change", "reference-transaction", "pre-commit", "fsmonitor")


def test_it_is_a_repository_of_its_own_at_the_base(copies: Copies) -> None:
    copies.write("dir/a", "one\n")
    copies.begin()
    first = copies.git("rev-parse", "HEAD")
    copies.write("dir/a", "two\n")
    copies.commit()
    users = state(copies.root)

    made = copies.make(base="HEAD~1", cwd=copies.root / "dir")
    top = Path(made.top)
    copies.write("b", within=top)
    copies.git("add", "-A", cwd=top)
    copies.git("commit", "-q", "-m", "work", cwd=top)
    again = copies.make(base="HEAD~1", cwd=copies.root / "dir")

    assert top == copies.home / "worktrees" / "s.1" / "my work"
    assert Path(made.cwd) == top / "dir"
    assert made.base == first
    assert (top / "dir/a").read_text() == "one\n"
    assert again == made
    assert copies.git("log", "--format=%s %D", cwd=top).splitlines() == ["work HEAD -> trouper/s.1", "state"]
    assert state(copies.root) == users


def test_changes_and_new_files_are_part_of_the_base(copies: Copies) -> None:
    copies.write("a", "one\n")
    copies.write("gone")
    copies.write(".gitignore", "ignored\n")
    copies.begin()
    copies.write("a", "two\n")
    copies.write("new/file")
    copies.write("ignored")
    (copies.root / "gone").unlink()
    refs = copies.git("for-each-ref")

    made = copies.make(changes=True)
    top = Path(made.top)

    assert {name.decode() for name in files(top)} == {"a", "new/file", ".gitignore"}
    assert (top / "a").read_text() == "two\n"
    assert copies.git("status", "--short", cwd=top) == ""
    assert copies.patch().text == ""
    assert copies.git("for-each-ref") == refs
    copies.write("a", "three\n", within=top)
    assert copies.patch().files == ("a",)
    kept = copies.kept(copies.remove())
    assert (kept / "a").read_text() == "three\n"
    assert (kept / "new/file").exists()


def test_a_linked_worktree_a_shallow_clone_and_the_worktree_of_a_bare_repository(copies: Copies) -> None:
    copies.write("a", "one\n")
    copies.begin()
    copies.write("a", "two\n")
    copies.commit()
    outside = copies.home.parent
    copies.git("worktree", "add", "-q", "-b", "other", str(outside / "linked"), "HEAD~1")
    git(outside, "clone", "-q", "--depth=1", f"file://{copies.root}", "shallow")
    git(outside, "clone", "-q", "--bare", str(copies.root), "bare")
    git(outside / "bare", "worktree", "add", "-q", str(outside / "of bare"), "main")

    for number, name in enumerate(("linked", "shallow", "of bare")):
        place = outside / name
        key = f"k.{number}"
        made = copies.make(key, cwd=place)
        copies.write("b", "new\n", within=Path(made.top))
        merged = copies.merge(key)
        ref = copies.remove(key)

        assert made.base == git(place, "rev-parse", "HEAD")
        assert merged.files == ("b",)
        assert (place / "b").read_text() == "new\n"
        assert git(place, "show", f"{ref}:b") == "new"


def test_what_cannot_be_copied_is_refused_with_the_reason(copies: Copies, tmp_path: Path) -> None:
    plain, empty, sha256, bare = (tmp_path / name for name in ("plain", "empty", "sha256", "bare"))
    for folder in (plain, empty, sha256, bare):
        folder.mkdir()
    git(empty, "init", "-q")
    git(sha256, "init", "-q", "--object-format=sha256")
    (sha256 / "a").write_text("a\n")
    git(sha256, "add", "a")
    git(sha256, "commit", "-q", "-m", "a")
    git(bare, "init", "-q", "--bare")
    copies.write("a")
    copies.begin()
    copies.git("branch", "feature/login")
    door = tmp_path / "door"
    door.mkdir()
    (door / ".git").write_text(f"gitdir: {copies.root}/.git\n")

    def why(cwd: Path, base: str = "") -> str:
        with pytest.raises(Failed) as refused:
            copies.make("x", cwd=cwd, base=base)
        assert refused.value.problem.code == "no_worktree"
        return str(refused.value)

    assert "no git repository" in why(plain)
    assert "no commits yet" in why(empty)
    assert "sha256" in why(sha256)
    assert "bare" in why(bare)
    assert "feature/login" in why(copies.root, "feature/logn")
    assert "no commit" in why(copies.root, "--all")
    assert "no commit" in why(copies.root, "HEAD:a")
    assert "does not know this folder" in why(door)
    assert copies.keys() == []
    assert [path.name for path in (copies.home / "worktrees").iterdir()] == []


def test_without_git_it_is_refused(copies: Copies, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies.write("a")
    copies.begin()
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))

    with pytest.raises(Failed, match="git is not installed"):
        copies.make()


def test_submodules_and_what_lfs_keeps_elsewhere_are_left_and_said(copies: Copies, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    git(other, "commit", "-q", "--allow-empty", "-m", "first")
    copies.write("large.bin", f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 3\n")
    copies.begin()
    copies.git("submodule", "add", "-q", str(other), "sub")
    copies.git("commit", "-q", "-m", "sub")

    made = copies.make()
    copies.write("a", within=Path(made.top))

    assert [line.split(":")[0] for line in made.left_out] == ["sub", "large.bin"]
    assert list((Path(made.top) / "sub").iterdir()) == []
    assert copies.patch().files == ("a",)
    assert copies.git("ls-tree", copies.remove(), "sub").startswith("160000 commit")


def test_nothing_that_a_repository_names_is_run(copies: Copies, tmp_path: Path) -> None:
    mark, program = tmp_path / "mark", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(0o755)
    copies.write("a.txt", "one\n")
    copies.write("e.txt", "one\r\n$Id$\n")
    copies.write(".gitattributes", "* filter=evil diff=evil merge=evil\ne.txt text eol=crlf ident\n")
    copies.begin()
    made = copies.make("s.0")
    for place in (copies.root, Path(made.top)):
        for key, value in (
            ("filter.evil.smudge", str(program)),
            ("filter.evil.clean", str(program)),
            ("filter.evil.required", "true"),
            ("diff.evil.textconv", str(program)),
            ("diff.evil.command", str(program)),
            ("diff.external", str(program)),
            ("merge.evil.driver", str(program)),
            ("core.fsmonitor", str(program)),
            ("core.hooksPath", str(tmp_path / "hooks")),
            ("core.sshCommand", str(program)),
            ("core.pager", str(program)),
        ):
            git(place, "config", key, value)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in HOOKS:
        for folder in (hooks, copies.root / ".git/hooks", Path(made.top) / ".git/hooks"):
            (folder / name).write_bytes(program.read_bytes())
            (folder / name).chmod(0o755)
    mark.unlink(missing_ok=True)
    copies.write("a.txt", "mine\none\n")

    changed = Path(copies.make("s.1", changes=True).top)
    for key, top in (("s.0", Path(made.top)), ("s.1", changed)):
        copies.write("a.txt", (top / "a.txt").read_text() + "more\n", within=top)
        copies.patch(key)
        copies.merge(key)
        copies.remove(key)

    assert not mark.exists()
    assert (copies.root / "a.txt").read_text() == "mine\none\nmore\n"
    assert copies.keys() == []


def test_a_worktree_of_a_worktree_goes_with_it(copies: Copies) -> None:
    copies.write("a", "one\n")
    copies.begin()
    outer = copies.make("run.t1")
    copies.write("b", "outer\n", within=Path(outer.top))
    inner = copies.make("run.t1.1", cwd=Path(outer.cwd), changes=True)
    copies.write("c", "inner\n", within=Path(inner.top))

    merged = copies.merge("run.t1.1")
    ref = copies.remove("run.t1")

    assert merged.files == ("c",)
    assert copies.keys() == []
    assert copies.git("ls-tree", "--name-only", ref).split() == ["a", "b", "c"]
    assert "kept by Trouper" in copies.git("log", "--format=%s", ref)


def test_odd_keys_have_folders_too(copies: Copies) -> None:
    copies.write("a")
    copies.begin()
    keys = ["../../x", "a/b", "a..b", "x.lock", ".merging", "", "ö", "k" * 300]

    for key in keys:
        copies.write("b", key, within=Path(copies.make(key).top))
        wanted = MakeWorktree(key=key, cwd=str(copies.root))
        assert answer(OfHome(copies.home.resolve(), os.environ, os.getpid()), wanted) == copies.make(key)
    listed = copies.keys()

    assert sorted(listed) == sorted(keys)
    assert all(copies.git("rev-parse", "--verify", copies.remove(key)) for key in keys)

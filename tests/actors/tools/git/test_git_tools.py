"""The git tools on real repositories, also on ones whose config, attributes and links are hostile."""

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.confinement import git_folder
from actors.confinement.errors import ToolFailed
from actors.tools.base import Tool, Worker
from actors.tools.git.git_tools import GIT_DIFF, GIT_LOG, GIT_SHOW, GIT_STATUS
from tests.repositories import git

HOSTILE = """#!/bin/sh
touch "{mark}"
cat
"""
COMMANDS = {
    "core.fsmonitor": "{command}",
    "core.pager": "{command}",
    "core.editor": "{command}",
    "core.sshCommand": "{command}",
    "core.alternateRefsCommand": "{command}",
    "core.askPass": "{command}",
    "credential.helper": "!{command}",
    "diff.external": "{command}",
    "diff.bad.command": "{command}",
    "diff.bad.textconv": "{command}",
    "filter.bad.clean": "{command}",
    "filter.bad.smudge": "{command}",
    "filter.Other Bad.process": "{command}",
    "filter.Other Bad.required": "true",
    "merge.bad.driver": "{command}",
    "log.diffMerges": "remerge",
    "log.showSignature": "true",
    "gpg.program": "{command}",
    "format.pretty": "%G?",
    "pager.diff": "{command}",
    "pager.log": "{command}",
    "pager.status": "{command}",
    "alias.status": "!{command}",
    "alias.diff": "!{command}",
    "interactive.diffFilter": "{command}",
    "uploadpack.packObjectsHook": "{command}",
    "status.submoduleSummary": "true",
    "diff.submodule": "log",
    "submodule.recurse": "true",
}


def commit(folder: Path, message: str, **files: str) -> str:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "--short", "HEAD")


@pytest.fixture
def repo(folder: Path) -> Path:
    git(folder, "init", "-q")
    commit(folder, "first", a__txt="one\ntwo\n", b__txt="b\n")
    commit(folder, "second", a__txt="one\n2\n")
    return folder


async def run(tool: Tool, worker: Worker, **arguments: object) -> str:  # type: ignore[type-arg]  # of any arguments
    async def report(_text: str) -> None: ...

    return (await tool.run(tool.arguments(**arguments), worker, report)).output


async def test_status_names_the_branch_and_the_changed_files(repo: Path, worker: Worker) -> None:
    (repo / "a.txt").write_text("changed\n")
    (repo / "neü.txt").write_text("new\n")

    assert await run(GIT_STATUS, worker) == "## main\n M a.txt\n?? neü.txt"
    assert await run(GIT_STATUS, worker, path="b.txt") == "## main\nNothing has changed."


async def test_diff_of_files_of_the_index_and_of_commits(repo: Path, worker: Worker) -> None:
    (repo / "a.txt").write_text("one\nthree\n")
    unstaged = await run(GIT_DIFF, worker)
    git(repo, "add", ".")
    nothing = await run(GIT_DIFF, worker)
    staged = await run(GIT_DIFF, worker, staged=True, context=0)
    commits = await run(GIT_DIFF, worker, revision="HEAD~1..HEAD", stat=True)
    since = await run(GIT_DIFF, worker, revision="HEAD~1", path="b.txt")

    assert unstaged.splitlines()[-3:] == [" one", "-2", "+three"]
    assert nothing.startswith("No differences.")
    assert staged.splitlines()[-3:] == ["@@ -2 +2 @@ one", "-2", "+three"]
    assert "a.txt | 2 +-" in commits
    assert since.startswith("No differences.")


async def test_log_and_show(repo: Path, worker: Worker) -> None:
    second = git(repo, "rev-parse", "--short", "HEAD")
    first = git(repo, "rev-parse", "--short", "HEAD~1")

    assert await run(GIT_LOG, worker) == (
        f"{second} 2024-05-06 Ann (HEAD -> main) second\n{first} 2024-05-06 Ann first"
    )
    assert await run(GIT_LOG, worker, path="b.txt") == f"{first} 2024-05-06 Ann first"
    assert await run(GIT_LOG, worker, count=1) == f"{second} 2024-05-06 Ann (HEAD -> main) second"
    shown = await run(GIT_SHOW, worker, revision="HEAD")
    assert shown.startswith(f"commit {second}")
    assert shown.splitlines()[-3:] == [" one", "-two", "+2"]
    assert await run(GIT_SHOW, worker, revision="HEAD~1", path="a.txt", whole=True) == "one\ntwo\n"
    assert await run(GIT_SHOW, worker, path="b.txt") == "HEAD changed nothing in b.txt."


async def test_a_folder_of_the_repository_is_a_place_to_look_from(repo: Path, worker: Worker) -> None:
    (repo / "src").mkdir()
    commit(repo, "third", **{"src/c__txt": "c\n"})
    below = replace(worker, workspace=replace(worker.workspace, root=repo / "src"))
    (repo / "src" / "c.txt").write_text("d\n")
    (repo / "a.txt").write_text("not ours to see\n")

    assert await run(GIT_STATUS, below) == f"[paths are relative to {repo}]\n## main\n M src/c.txt"
    assert "not ours" not in await run(GIT_DIFF, below)
    assert (await run(GIT_LOG, below)).endswith("third")


async def test_outside_a_repository_the_error_says_so(folder: Path, worker: Worker) -> None:
    with pytest.raises(ToolFailed, match=f"{folder} is in no git repository"):
        await run(GIT_STATUS, worker)


@pytest.mark.parametrize("tool", [GIT_DIFF, GIT_LOG, GIT_SHOW])
async def test_an_unknown_revision_is_named(repo: Path, worker: Worker, tool: Tool) -> None:  # type: ignore[type-arg]  # noqa: ARG001
    with pytest.raises(ToolFailed) as one:
        await run(tool, worker, revision="HEAD~9")

    assert str(one.value) == "There is no commit HEAD~9 here; git_log shows which there are."


async def test_an_unknown_revision_of_a_range_or_of_a_file_is_named(repo: Path, worker: Worker) -> None:  # noqa: ARG001
    with pytest.raises(ToolFailed, match=r"^Not all commits of main\.\.topic are here; git_log"):
        await run(GIT_DIFF, worker, revision="main..topic")
    with pytest.raises(ToolFailed, match=r"^There is no commit topic here"):
        await run(GIT_SHOW, worker, revision="topic", path="a.txt", whole=True)
    with pytest.raises(ToolFailed, match=r"^fatal: path 'c.txt' does not exist in 'HEAD'$"):
        await run(GIT_SHOW, worker, path="c.txt", whole=True)


async def test_a_repository_without_commits_says_so(folder: Path, worker: Worker) -> None:
    git(folder, "init", "-q")

    with pytest.raises(ToolFailed, match=r"^There is no commit here yet"):
        await run(GIT_LOG, worker)


@pytest.mark.parametrize(
    "revision", ["--output=x", "-p", "HEAD:a.txt", ":/second", "a b", "HEAD\n", "", "HEAD..--output=x", "x\0y", "*"]
)
async def test_a_revision_is_nothing_but_a_revision(repo: Path, worker: Worker, revision: str) -> None:
    for tool in (GIT_LOG, GIT_SHOW):
        with pytest.raises(ToolFailed):
            await run(tool, worker, revision=revision)

    assert not (repo / "x").exists()


async def test_a_file_is_not_read_by_its_number(repo: Path, worker: Worker) -> None:
    first, second = git(repo, "rev-parse", "HEAD~1:a.txt"), git(repo, "rev-parse", "HEAD:a.txt")

    for tool, revision in ((GIT_SHOW, first), (GIT_DIFF, f"{first}..{second}"), (GIT_SHOW, "HEAD^{tree}")):
        with pytest.raises(ToolFailed):
            await run(tool, worker, revision=revision)


async def test_a_path_is_never_an_option_or_a_pattern(repo: Path, worker: Worker) -> None:
    (repo / "--output=x").write_text("odd\n")
    (repo / ":(top)b.txt").write_text("odd\n")

    assert await run(GIT_STATUS, worker, path="--output=x") == "## main\n?? --output=x"
    assert await run(GIT_STATUS, worker, path=":(top)b.txt") == "## main\n?? :(top)b.txt"
    assert not (repo / "x").exists()


def hostile(repo: Path, mark: Path) -> str:
    """Configures everything that names a command; the command leaves a mark."""
    command = repo / "bad.sh"
    command.write_text(HOSTILE.format(mark=mark))
    command.chmod(0o755)
    for key, value in COMMANDS.items():
        git(repo, "config", key, value.format(command=command))
    (repo / ".git" / "hooks" / "post-index-change").write_text(HOSTILE.format(mark=mark))
    (repo / ".git" / "hooks" / "post-index-change").chmod(0o755)
    return str(command)


async def test_nothing_that_a_repository_configures_is_run(repo: Path, worker: Worker, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    (repo / "a.bin").write_text("one\n")
    (repo / "b.bin").write_text("one\n")
    (repo / ".gitattributes").write_text("a.* diff=bad filter=bad merge=bad\nb.bin filter=Other\\ Bad diff=bad\n")
    commit(repo, "attributes")
    git(repo, "checkout", "-q", "-b", "side", "HEAD~1")
    commit(repo, "side", a__txt="side\n")
    git(repo, "checkout", "-q", "main")
    commit(repo, "main again", a__txt="main\n")
    git(repo, "merge", "-q", "-X", "ours", "side", "-m", "merged")
    (repo / "a.txt").write_text("changed\n")
    (repo / "a.bin").write_text("two\n")
    (repo / "b.bin").write_text("two\n")
    hostile(repo, mark)

    texts = [
        await run(GIT_STATUS, worker),
        await run(GIT_DIFF, worker),
        await run(GIT_DIFF, worker, staged=True),
        await run(GIT_DIFF, worker, revision="HEAD~1"),
        await run(GIT_LOG, worker, stat=True),
        await run(GIT_LOG, worker),
        await run(GIT_SHOW, worker),
        await run(GIT_SHOW, worker, revision="HEAD~1"),
        await run(GIT_SHOW, worker, path="a.txt", whole=True),
    ]

    assert not mark.exists()
    assert " M a.bin\n M a.txt\n M b.bin" in texts[0]
    assert "+two" in texts[1]
    assert springs(repo, mark, "diff")


def springs(repo: Path, mark: Path, *arguments: str) -> bool:
    """That the trap is one: git as it is falls into it."""
    subprocess.run(["git", *arguments], cwd=repo, check=False, capture_output=True)
    return mark.exists()


async def test_a_filter_whose_name_cannot_be_switched_off_is_refused(repo: Path, worker: Worker) -> None:
    git(repo, "config", "filter.a=b.clean", "touch x")

    with pytest.raises(ToolFailed, match="odd name"):
        await run(GIT_DIFF, worker)


async def test_a_name_with_escapes_is_switched_off_all_the_same(repo: Path, worker: Worker, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    command = hostile(repo, mark)
    odd = "a\x1b[0mb"
    git(repo, "config", f"filter.{odd}.clean", command)
    (repo / ".gitattributes").write_text(f'"a.*" filter={odd}\n')
    (repo / "a.txt").write_text("changed\n")

    await run(GIT_DIFF, worker)

    assert not mark.exists()
    assert springs(repo, mark, "-c", "core.fsmonitor=false", "diff", "--no-ext-diff", "--no-textconv")


async def test_missing_objects_are_not_fetched(repo: Path, worker: Worker, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    blob = git(repo, "rev-parse", "HEAD~1:a.txt")
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::touch {mark}",
        "protocol.ext.allow": "always",
        "protocol.allow": "always",
    }.items():
        git(repo, "config", key, value)
    (repo / ".git" / "objects" / blob[:2] / blob[2:]).unlink()

    with pytest.raises(ToolFailed):
        await run(GIT_SHOW, worker, revision="HEAD")

    assert not mark.exists()
    assert springs(repo, mark, "--no-pager", "show", "--format=%h")


async def test_submodules_are_not_looked_into(repo: Path, worker: Worker, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    commit(other, "other", o__txt="o\n")
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "sub")
    commit(repo, "with sub")
    mark = tmp_path / "mark"
    hostile(repo, mark)
    for key, value in COMMANDS.items():
        git(repo / "sub", "config", key, value.format(command=repo / "bad.sh"))
    (repo / "sub" / "o.txt").write_text("changed\n")

    await run(GIT_STATUS, worker)
    await run(GIT_DIFF, worker)

    assert not mark.exists()
    assert springs(repo / "sub", mark, "status")


async def test_a_setting_does_not_move_the_files(repo: Path, worker: Worker, tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "a.txt").write_text("secret\n")
    git(repo, "config", "core.worktree", str(private))

    assert "secret" not in await run(GIT_DIFF, worker)


@pytest.fixture
def private(tmp_path: Path) -> Path:
    made = tmp_path / "private"
    made.mkdir()
    git(made, "init", "-q")
    commit(made, "secret", s__txt="secret\n")
    return made


async def test_a_file_that_leads_to_another_repository_is_not_followed(
    folder: Path, private: Path, worker: Worker
) -> None:
    (folder / ".git").write_text(f"gitdir: {private / '.git'}\n")

    with pytest.raises(ToolFailed, match="another repository"):
        await run(GIT_SHOW, worker)


async def test_a_symlink_to_another_repository_is_not_followed(folder: Path, private: Path, worker: Worker) -> None:
    (folder / ".git").symlink_to(private / ".git")

    with pytest.raises(ToolFailed, match="another repository"):
        await run(GIT_SHOW, worker)


async def test_a_borrowed_common_folder_is_not_followed(repo: Path, private: Path, worker: Worker) -> None:
    (repo / ".git" / "commondir").write_text(f"{private / '.git'}\n")

    with pytest.raises(ToolFailed, match="another repository"):
        await run(GIT_SHOW, worker)


async def test_a_linked_worktree_is_followed(repo: Path, worker: Worker, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "-q", str(linked), "-b", "topic")
    there = replace(worker, workspace=replace(worker.workspace, root=linked))

    assert await run(GIT_STATUS, there) == "## topic\nNothing has changed."


def test_a_repository_is_found_from_a_file_that_is_not_there(repo: Path) -> None:
    assert git_folder.find(repo / "gone" / "x.txt").top == repo

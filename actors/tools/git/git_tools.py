"""`git_status`, `git_diff`, `git_log`, `git_show`: looking at a repository, also where no command may run."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Annotated

import msgspec

from actors.common.plurals import how_many
from actors.confinement import git_folder
from actors.confinement.errors import ToolFailed
from actors.confinement.git_folder import Repository
from actors.confinement.git_looking import PATCH
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.git import git_runs
from actors.tools.workspace.folder import Workspace

TOUCHES = (Touch(scope="read", argument="path", missing="."),)
REVISION = re.compile(r"(?!-)[^\s:?*\[\\\x00-\x1f\x7f]{1,250}")
"""No options, no files (HEAD:file), no patterns."""
COMMIT = "^{commit}"
"""After a revision: git takes nothing else for it then."""
UNKNOWN = re.compile(
    r"^fatal: (bad revision|invalid object name|not a valid object name) .*", re.MULTILINE | re.IGNORECASE
)
NAMES = ("--name-only", "--no-renames")

PathArgument = Annotated[str, msgspec.Meta(description="A file or folder of the repository.")]
Context = Annotated[int, msgspec.Meta(ge=0, le=50, description="Lines shown around each change.")]
Stat = Annotated[bool, msgspec.Meta(description="Only how many lines of which files changed.")]


class GitStatus(Arguments, frozen=True):
    path: PathArgument = "."


class GitDiff(Arguments, frozen=True):
    path: PathArgument = "."
    revision: Annotated[
        str, msgspec.Meta(description="Compare the files with this commit, or two commits: main..topic, main...topic.")
    ] = ""
    staged: Annotated[bool, msgspec.Meta(description="What is staged, instead of what is not.")] = False
    stat: Stat = False
    context: Context = 3


class GitLog(Arguments, frozen=True):
    path: PathArgument = "."
    revision: Annotated[str, msgspec.Meta(description="Where to begin, or a range such as main..topic.")] = "HEAD"
    count: Annotated[int, msgspec.Meta(ge=1, le=limits.GIT_COMMITS_MAX)] = limits.GIT_COMMITS
    stat: Stat = False


class GitShow(Arguments, frozen=True):
    revision: Annotated[str, msgspec.Meta(description="A commit.")] = "HEAD"
    path: PathArgument = "."
    whole: Annotated[
        bool, msgspec.Meta(description="The whole file at path as it was then, instead of what the commit changed.")
    ] = False
    stat: Stat = False
    context: Context = 3


async def run_status(arguments: GitStatus, worker: Worker, _report: Report) -> Outcome:
    path, repo = _place(arguments.path, worker)
    argv = ["status", "--porcelain=v1", "--untracked-files=normal", "--ignore-submodules=dirty"]
    paths = await git_runs.limited(worker, repo, path, [*argv, "--no-renames"], at=len("XY "))
    text = await git_runs.look(worker, repo, [*argv, "--branch", "--", *paths], files=True)
    branch, _, changes = text.partition("\n")
    count = len(changes.splitlines())
    shown = [_note(worker, repo), branch, changes.rstrip() or "Nothing has changed."]
    return Outcome("\n".join(filter(None, shown)), f"{how_many(count, 'changed file')}, {branch.removeprefix('## ')}")


async def run_diff(arguments: GitDiff, worker: Worker, _report: Report) -> Outcome:
    path, repo = _place(arguments.path, worker)
    about = ["--cached"] if arguments.staged else []
    about += [_commits(arguments.revision)] if arguments.revision else []
    with _naming(arguments.revision):
        paths = await git_runs.limited(worker, repo, path, ["diff", *PATCH, *NAMES, *about])
        argv = ["diff", *PATCH, *_shape(stat=arguments.stat, context=arguments.context), *about, "--", *paths]
        text = await git_runs.look(worker, repo, argv, files=True)
    if not text.strip():
        other = "not staged" if arguments.staged else "staged (staged=true) or in new files (git_status)"
        return Outcome(f"No differences. There may be some {other}.", "no differences")
    return Outcome(_headed(text, worker, repo), how_many(len(text.splitlines()), "line"))


async def run_log(arguments: GitLog, worker: Worker, _report: Report) -> Outcome:
    path, repo = _place(arguments.path, worker)
    argv = ["log", *PATCH, "--no-show-signature", "--no-notes", "--decorate=short", "--date=short"]
    argv += ["--format=%h %ad %an%d %s", f"--max-count={arguments.count}", "--diff-merges=off"]
    argv += ["--stat=100"] if arguments.stat else ["--no-patch"]
    argv += [_commits(arguments.revision), "--", *git_runs.pathspec(path, repo)]
    with _naming(arguments.revision):
        text = await git_runs.look(worker, repo, argv)
    return Outcome(text.rstrip() or "No commits.", how_many(len(text.splitlines()), "line"))


async def run_show(arguments: GitShow, worker: Worker, _report: Report) -> Outcome:
    path, repo = _place(arguments.path, worker)
    commit = _commit(arguments.revision)
    if arguments.whole:
        name = path.relative_to(repo.top)
        with _naming(arguments.revision):
            text = await git_runs.look(worker, repo, ["cat-file", "blob", f"{commit}:{name}"])
        return Outcome(text, f"{name} at {arguments.revision}")
    argv = ["show", *PATCH, "--no-show-signature", "--no-notes", "--date=iso", "--diff-merges=dense-combined"]
    with _naming(arguments.revision):
        paths = await git_runs.limited(worker, repo, path, [*argv, *NAMES, "--format=", commit])
        argv += ["--format=medium", *_shape(stat=arguments.stat, context=arguments.context), commit, "--", *paths]
        text = await git_runs.look(worker, repo, argv)
    if not text.strip():
        return Outcome(f"{arguments.revision} changed nothing in {arguments.path}.", "nothing")
    return Outcome(_headed(text, worker, repo), how_many(len(text.splitlines()), "line"))


@contextmanager
def _naming(revision: str) -> Iterator[None]:
    """git's complaint about a revision in words of the call. Raises ToolFailed."""
    try:
        yield
    except ToolFailed as failed:
        said = str(failed).replace(COMMIT, "")
        if not UNKNOWN.search(said):
            raise ToolFailed(said) from failed
        also = "".join(f"{line}\n" for line in said.splitlines() if not UNKNOWN.search(line))
        raise ToolFailed(f"{also}{_no_commit(revision)}") from failed


def _no_commit(revision: str) -> str:
    if revision == "HEAD":
        return "There is no commit here yet."
    if ".." in revision:
        return f"Not all commits of {revision} are here; git_log shows which there are."
    return f"There is no commit {revision} here; git_log shows which there are."


def _place(given: str, worker: Worker) -> tuple[Path, Repository]:
    path = worker.workspace.locate(given)
    return path, git_folder.find(path)


def _shape(*, stat: bool, context: int) -> list[str]:
    return ["--stat=100"] if stat else ["--patch", f"--unified={context}"]


def _commits(revision: str) -> str:
    """A commit or a range of commits, and never a file's content by its number."""
    for dots in ("...", ".."):
        first, found, second = revision.partition(dots)
        if found:
            return f"{_commit(first or 'HEAD')}{dots}{_commit(second or 'HEAD')}"
    return _commit(revision)


def _commit(revision: str) -> str:
    """Raises ToolFailed."""
    if not REVISION.fullmatch(revision):
        raise ToolFailed(f"{revision!r} is no revision: name a commit, branch or tag; a file goes into path.")
    return revision + COMMIT


def _note(worker: Worker, repo: Repository) -> str:
    top = worker.workspace.shown(repo.top)
    return "" if top == "." else f"[paths are relative to {top}]"


def _headed(text: str, worker: Worker, repo: Repository) -> str:
    note = _note(worker, repo)
    return f"{note}\n{text}" if note else text


def _preview(name: str) -> Preview:
    return Preview(title=name)


def preview_status(arguments: GitStatus, _workspace: Workspace) -> Preview:
    return _preview(f"git status {arguments.path}")


def preview_diff(arguments: GitDiff, _workspace: Workspace) -> Preview:
    words = ["--cached"] if arguments.staged else []
    return _preview(" ".join(filter(None, ["git diff", *words, arguments.revision, arguments.path])))


def preview_log(arguments: GitLog, _workspace: Workspace) -> Preview:
    return _preview(f"git log {arguments.revision} {arguments.path}")


def preview_show(arguments: GitShow, _workspace: Workspace) -> Preview:
    return _preview(f"git show {arguments.revision} {arguments.path}")


def _is_there() -> bool:
    return which("git") is not None


GIT_STATUS = Tool("git_status", "read", GitStatus, run_status, preview_status, TOUCHES, is_there=_is_there)
GIT_DIFF = Tool("git_diff", "read", GitDiff, run_diff, preview_diff, TOUCHES, is_there=_is_there)
GIT_LOG = Tool("git_log", "read", GitLog, run_log, preview_log, TOUCHES, is_there=_is_there)
GIT_SHOW = Tool("git_show", "read", GitShow, run_show, preview_show, TOUCHES, is_there=_is_there)

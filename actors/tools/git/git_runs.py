"""git, run so that it only looks: fixed arguments, no shell, and nothing that a repository's own config says is run."""

import os
from collections.abc import Sequence
from pathlib import Path

from actors.confinement import git_looking
from actors.confinement.errors import ToolFailed
from actors.confinement.git_folder import Repository
from actors.confinement.processes.process_trees import Program
from actors.tools import limits
from actors.tools.base import Worker
from actors.tools.helper_programs import need, run_program
from actors.tools.output import Output


class _Whole(Output):
    """All of it, as it came."""

    def __init__(self) -> None:
        super().__init__()
        self.data = bytearray()

    def feed(self, data: bytes) -> None:
        self.data += data


async def look(worker: Worker, repo: Repository, arguments: Sequence[str], *, files: bool = False) -> str:
    """What it prints, shortened. files: it also reads the files of the working tree. Raises ToolFailed, OSError."""
    filters = await _filters(worker, repo) if files else []
    kept = Output(limits.GIT_BYTES * 2 // 3, limits.GIT_BYTES // 3)
    return await _run(worker, repo, arguments, kept, filters)


async def limited(worker: Worker, repo: Repository, path: Path, listing: Sequence[str], *, at: int = 0) -> list[str]:
    """Pathspecs for what may be read at this path and below. Raises ToolFailed, OSError.

    listing: makes git name all that it is about; `at` characters stand before each name. So the names are compared as
    everywhere else: git itself knows no case beyond ASCII's.
    """
    given = pathspec(path, repo)
    if not worker.grant.hidden:
        return given
    names = _Whole()
    await _run(worker, repo, [*listing, "-z", "--", *given], names, await _filters(worker, repo))
    listed = [os.fsdecode(entry[at:]) for entry in bytes(names.data).split(b"\0") if entry]
    closed = [name for name in listed if not worker.workspace.is_readable(repo.top / name)]
    return [*given, *(f":(top,exclude,literal){name}" for name in closed)]


async def list_files(worker: Worker, repo: Repository, pathspecs: Sequence[str]) -> bytes:
    """`H PATH` for what git tracks of these (or another letter), `? PATH` for what it neither tracks nor ignores.

    Each ends with a NUL. Raises ToolFailed, OSError.
    """
    kept = _Whole()
    how = ("-t", "-z", "--cached", "--others", "--exclude-standard")
    await _run(worker, repo, ["-c", "core.excludesFile=/dev/null", "ls-files", *how, "--", *pathspecs], kept)
    return bytes(kept.data)


def pathspec(path: Path, repo: Repository) -> list[str]:
    """[] for all of the repository."""
    return [] if path == repo.top else [f":(top,literal){path.relative_to(repo.top)}"]


async def _run(
    worker: Worker, repo: Repository, arguments: Sequence[str], output: Output, settings: Sequence[str] = ()
) -> str:
    argv = git_looking.argv(need("git", worker.workspace.root), arguments, settings)
    program = Program(argv, repo.top, git_looking.variables(repo, os.environ), apart=True)
    ran = await run_program(worker, program, output=output)
    if ran.exit_code is None:
        raise ToolFailed(f"git took longer than {limits.PROGRAM_S:.0f} s. Name a path or fewer commits.")
    if ran.exit_code:
        raise ToolFailed(ran.errors.strip() or f"git failed with exit code {ran.exit_code}.")
    return ran.output


async def _filters(worker: Worker, repo: Repository) -> list[str]:
    names = _Whole()
    await _run(worker, repo, git_looking.FILTER_NAMES, names)
    return git_looking.without_filters(bytes(names.data))

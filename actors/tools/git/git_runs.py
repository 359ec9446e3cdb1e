"""git, run so that it only looks: fixed arguments, no shell, and nothing that a repository's own config says is run.

The config, the attributes and the hooks of a repository may come from anybody, and a dozen of their settings name
commands. Each of them is switched off here; the tests have a hostile repository.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from actors.confinement.errors import ToolFailed
from actors.confinement.git_folder import Repository
from actors.confinement.processes.process_trees import Program
from actors.confinement.sandbox import environment
from actors.tools import limits
from actors.tools.base import Worker
from actors.tools.helper_programs import need, run_program
from actors.tools.output import Output

SETTINGS = (
    *("core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false", "core.pager=cat"),
    *("core.sshCommand=false", "core.gitProxy=", "core.askPass=", "credential.helper=", "protocol.allow=never"),
    *("gpg.program=false", "gpg.openpgp.program=false", "gpg.ssh.program=false", "gpg.x509.program=false"),
    *("log.showSignature=false", "diff.external=", "submodule.recurse=false", "status.submoduleSummary=false"),
    *("diff.submodule=short", "diff.noprefix=false", "diff.mnemonicPrefix=false", "color.ui=false"),
    *("core.quotePath=false",),
)
FILTER_KEYS = (b".clean", b".smudge", b".process", b".required")


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
    return await _run(worker, repo, [*_set(filters), *arguments], kept)


async def limited(worker: Worker, repo: Repository, path: Path, listing: Sequence[str], *, at: int = 0) -> list[str]:
    """Pathspecs for what may be read at this path and below. Raises ToolFailed, OSError.

    listing: makes git name all that it is about; `at` characters stand before each name. So the names are compared as
    everywhere else: git itself knows no case beyond ASCII's.
    """
    given = pathspec(path, repo)
    if not worker.grant.hidden:
        return given
    names = _Whole()
    await _run(worker, repo, [*_set(await _filters(worker, repo)), *listing, "-z", "--", *given], names)
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


async def _run(worker: Worker, repo: Repository, arguments: Sequence[str], output: Output) -> str:
    program = need("git", worker.workspace.root)
    argv = [program, "--no-pager", "--no-optional-locks", *_set(SETTINGS), *arguments]
    # Named by us, so that neither a setting (core.worktree) nor a file that appears meanwhile moves them
    place = {"GIT_DIR": str(repo.folder), "GIT_WORK_TREE": str(repo.top)}
    variables = {**environment.for_commands(os.environ), **environment.LOOKING, **place}
    ran = await run_program(worker, Program(argv, repo.top, variables, apart=True), output=output)
    if ran.exit_code is None:
        raise ToolFailed(f"git took longer than {limits.PROGRAM_S:.0f} s. Name a path or fewer commits.")
    if ran.exit_code:
        raise ToolFailed(ran.errors.strip() or f"git failed with exit code {ran.exit_code}.")
    return ran.output


async def _filters(worker: Worker, repo: Repository) -> list[str]:
    """Settings that take the commands out of all filters: comparing a changed file would run them."""
    keys = _Whole()
    await _run(worker, repo, ["config", "--list", "--name-only", "-z"], keys)
    drivers = {
        key.rpartition(b".")[0]
        for key in bytes(keys.data).split(b"\0")
        if key.startswith(b"filter.") and key.endswith(FILTER_KEYS)
    }
    if any(b"=" in driver or b"\n" in driver for driver in drivers):
        raise ToolFailed("The config of this repository has a filter with an odd name. Use bash with git.")
    names = sorted(map(os.fsdecode, drivers))
    return [f"{name}.{setting}" for name in names for setting in ("clean=", "smudge=", "process=", "required=false")]


def _set(settings: Sequence[str]) -> list[str]:
    return [word for setting in settings for word in ("-c", setting)]

"""How a git of ours is called that only looks: nothing that a repository's own config names is run. Pure.

The config, the attributes and the hooks of a repository may come from anybody, and a dozen of their settings name
commands. Each of them is switched off here; the tests of who calls it have hostile repositories.
"""

import os
from collections.abc import Mapping, Sequence

from actors.confinement.errors import ToolFailed
from actors.confinement.git_folder import Repository
from actors.confinement.sandbox import environment

SETTINGS = (
    *("core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false", "core.pager=cat"),
    *("core.sshCommand=false", "core.gitProxy=", "core.askPass=", "credential.helper=", "protocol.allow=never"),
    *("gpg.program=false", "gpg.openpgp.program=false", "gpg.ssh.program=false", "gpg.x509.program=false"),
    *("log.showSignature=false", "diff.external=", "submodule.recurse=false", "status.submoduleSummary=false"),
    *("diff.submodule=short", "diff.noprefix=false", "diff.mnemonicPrefix=false", "color.ui=false"),
    *("core.quotePath=false",),
)
PATCH = ("--no-ext-diff", "--no-textconv", "--submodule=short", "--ignore-submodules=dirty", "--no-color")
"""Options of each diff. Submodules are not looked into: they have a config of their own."""
FILTER_NAMES = ("config", "--list", "--name-only", "-z")
"""Arguments that have git say what `without_filters` takes."""
FILTER_KEYS = (b".clean", b".smudge", b".process", b".required")


def argv(git: str, arguments: Sequence[str], settings: Sequence[str] = ()) -> list[str]:
    """git: the program. settings: beside those of every git of ours."""
    return [git, "--no-pager", "--no-optional-locks", *_set(SETTINGS), *_set(settings), *arguments]


def variables(repository: Repository, environ: Mapping[str, str]) -> dict[str, str]:
    """Where it looks is named by us, so that neither a setting (core.worktree) nor a file that appears moves it."""
    place = {"GIT_DIR": str(repository.folder), "GIT_WORK_TREE": str(repository.top)}
    return {**environment.for_commands(environ), **environment.LOOKING, **place}


def without_filters(names: bytes) -> list[str]:
    """Settings that take the commands out of all filters: comparing a changed file would run them. Raises ToolFailed.

    names: of all settings of the repository, as FILTER_NAMES has them said.
    """
    drivers = {
        key.rpartition(b".")[0]
        for key in names.split(b"\0")
        if key.startswith(b"filter.") and key.endswith(FILTER_KEYS)
    }
    if any(b"=" in driver or b"\n" in driver for driver in drivers):
        raise ToolFailed("The config of this repository has a filter with an odd name. Use bash with git.")
    return [
        f"{name}.{setting}"
        for name in sorted(map(os.fsdecode, drivers))
        for setting in ("clean=", "smudge=", "process=", "required=false")
    ]


def _set(settings: Sequence[str]) -> list[str]:
    return [word for setting in settings for word in ("-c", setting)]

"""What a sandboxed command could leave for a git that runs outside: hooks, and settings that name programs.

What is there when a worker starts is protected by mounts, see `git_places`. This is about what appears later.
"""

import os
import re
import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from actors import installed
from actors.tools.errors import ToolFailed
from actors.tools.processes import Program
from actors.tools.sandbox import environment, git_places

PATIENCE_S = 5.0
LOOKED_AT = 30
"""Folders that one command line names."""
WORDS = 2000
SEPARATORS = re.compile(r"[\s\"'`=;&|()<>$]+")
HARMLESS = re.compile(
    r"core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol"
    r"|safecrlf|quotepath|sparsecheckout|sparsecheckoutcone|worktree)"
    r"|remote\..*\.(url|pushurl|fetch|push|prune|tagopt)|branch\..*\.(remote|pushremote|merge|rebase|description)"
    r"|user\.(name|email)|init\.defaultbranch|push\.(default|autosetupremote)|pull\.(ff|rebase)|fetch\.prune"
    r"|merge\.conflictstyle|submodule\..*\.(url|active|branch)|submodule\.active|extensions\.\w+|color\..*",
    re.DOTALL | re.IGNORECASE,
)
ELSEWHERE = re.compile(r"(https?|ssh|git)://.*|[\w.-]+(@[\w.-]+)?:(?!:).*", re.DOTALL)
"""Addresses of remotes on other machines: one on this machine has hooks of its own."""


@dataclass
class Inside:
    """Of a worker with a sandbox: takes away what its commands put there."""

    workspace: Path
    missing: list[Path] = field(init=False)
    """When the worker began."""

    def __post_init__(self) -> None:
        self.missing = git_places.missing(self.workspace)

    def before(self, _program: Program) -> None:
        pass

    def after(self) -> str:
        taken = [path for path in self.missing if os.path.lexists(path) and _take(path)]
        if not taken:
            return ""
        names = " and ".join(os.path.relpath(path, self.workspace) for path in taken)
        return f"{names} appeared, and git would run what it says: renamed to NAME.taken-away-*. Tell the user."


def _take(path: Path) -> bool:
    try:
        path.rename(path.with_name(f"{path.name}.taken-away-{secrets.token_hex(3)}"))
    except OSError:
        return False
    return True


@dataclass
class Outside:
    """Of a worker without one: refuses where git would run what the session may have made."""

    workspace: Path
    since: float
    """When the session began: what was changed later is looked at."""
    known: dict[Path, frozenset[str]] = field(default_factory=dict)
    """Settings that files had which were not."""

    def before(self, program: Program) -> None:
        """Raises ToolFailed."""
        git = installed.find("git", self.workspace)
        for top in self._repositories(" ".join([*program.argv, program.given.decode(errors="replace")])) if git else ():
            for each in (top, *_submodules(git, top)):
                if why := next(self._dangers(git, each), ""):
                    raise ToolFailed(
                        f"Not run: {why} since the session began, and git outside the sandbox could run it. "
                        "Tell the user, who can look at it, remove it, or run this command in a terminal."
                    )

    def after(self) -> str:
        return ""

    def _repositories(self, line: str) -> list[Path]:
        """Of the workspace, and of folders in it that the line names."""
        folders = [self.workspace]
        for word in list(dict.fromkeys(SEPARATORS.split(line)))[:WORDS]:
            for folder in folders[:LOOKED_AT] if word and len(word) < 1000 and "\0" not in word else ():
                named = Path(os.path.realpath(folder / word))
                if named not in folders and named.is_relative_to(self.workspace) and named.is_dir():
                    folders.append(named)
        return list(dict.fromkeys(top for folder in folders[:LOOKED_AT] if (top := self._top(folder))))

    def _top(self, folder: Path) -> Path | None:
        around = [above for above in (folder, *folder.parents) if above.is_relative_to(self.workspace)]
        return next((top for top in around if os.path.lexists(top / ".git") or (top / "HEAD").exists()), None)

    def _dangers(self, git: str, top: Path) -> Iterator[str]:
        asked = ("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--git-path", "hooks")
        said = _output(git, top, *asked)
        if not said:
            return  # no repository, and git will say so, too
        if said.count("\n") != 3:
            yield f"{top} got a repository with an odd path"
            return
        hooks = Path(said.splitlines()[2])
        folder, common = (Path(os.path.realpath(line)) for line in said.splitlines()[:2])
        if common != folder and folder.parent != common / "worktrees":
            yield f"{folder / 'commondir'} leads to {common}, written"
        for file in (common / "config", folder / "config.worktree"):
            if setting := self._new_setting(git, file):
                yield f"{setting} of {file} was set"
        for hook in sorted(hooks.iterdir()) if hooks.is_dir() else ():
            if hook.suffix != ".sample" and os.access(hook, os.X_OK) and (self._is_new(hooks) or self._is_new(hook)):
                yield f"{hook} was written"

    def _new_setting(self, git: str, file: Path) -> str:
        if not file.exists():
            return ""
        settings = _settings(git, file)
        if not self._is_new(file):
            self.known[file] = settings
        return next(iter(sorted(settings - self.known.get(file, frozenset()))), "").partition("\n")[0]

    def _is_new(self, path: Path) -> bool:
        """By the time that no command can set."""
        return any(info.st_ctime >= self.since for info in (path.lstat(), path.stat()))


def _settings(git: str, file: Path) -> frozenset[str]:
    """Those that may make git run something."""
    entries = _output(git, file.parent, "config", "--file", str(file), "--list", "-z").split("\0")
    return frozenset(entry for entry in entries if entry and not _is_harmless(*entry.partition("\n")[::2]))


def _is_harmless(key: str, value: str) -> bool:
    address = key.startswith("remote.") and key.endswith("url")
    return HARMLESS.fullmatch(key) is not None and (not address or ELSEWHERE.fullmatch(value) is not None)


def _submodules(git: str, top: Path) -> list[Path]:
    """git looks into these by itself."""
    entries = _output(git, top, "ls-files", "--stage", "-z").split("\0")
    return [top / entry.partition("\t")[2] for entry in entries if entry.startswith("160000 ")][:LOOKED_AT]


def _output(git: str, folder: Path, *arguments: str) -> str:
    """ "" when it fails. Raises ToolFailed, OSError."""
    argv = [git, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", *arguments]
    if arguments[0] == "rev-parse":
        del argv[3:5]  # it is asked where the hooks are
    here = environment.for_commands(os.environ)
    nothing = subprocess.DEVNULL
    try:
        ran = subprocess.run(
            argv, cwd=folder, env=here, stdin=nothing, capture_output=True, timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"git took too long to say what it would run in {folder}.") from error
    return ran.stdout.decode(errors="surrogateescape") if ran.returncode == 0 else ""

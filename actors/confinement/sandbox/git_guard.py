"""What a sandboxed command could leave for a git that runs outside: hooks, and settings that name programs.

What is there when a worker starts is protected by mounts, see `git/places.py`. This is about what appears later.
"""

import hashlib
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import msgspec

from actors.common import installed_programs, own_code
from actors.common.small_files import entries, is_file, is_folder
from actors.confinement.errors import ToolFailed
from actors.confinement.processes.process_trees import Program
from actors.confinement.protected_places import OWN
from actors.confinement.sandbox.git import plans, repository_places, settings
from actors.confinement.sandbox.git.index import named
from actors.confinement.sandbox.git.links import Links, made
from actors.confinement.sandbox.git.nested import Nested
from actors.confinement.sandbox.git.questions import listed, output
from actors.confinement.sandbox.git.settings import ELSEWHERE
from actors.confinement.sandbox.view.mounts import is_read_only
from actors.messages.tool import Grant

MOST = 100
"""Repositories that are looked at for one command."""
LEGACY = ("remotes", "branches")
"""Folders of git's in which files, too, say what a remote is."""
MOST_HOOKS = 100
"""Files of a folder that are compared."""
LEADING = ("commondir", ".git")
"""Protected files that hold no settings, but where others are."""
SHOWN = 80
"""Characters of a command."""


class Meant(msgspec.Struct, frozen=True):
    """What is to be at some place."""

    says: frozenset[str] = frozenset()
    """What git would run for its sake."""
    identity: tuple[int, int] | None = None
    """Where it was protected."""


def _says(path: Path) -> frozenset[str]:
    """What cannot be read through is never the same in the place of another."""
    if not is_folder(path):
        return frozenset({_hash(path)}) if path.name in LEADING else settings.risky(settings.read(path) or b"")
    files = [Path(entry.path) for entry in entries(str(path))]
    if len(files) > MOST_HOOKS:
        return frozenset({str(_identity(path))})
    return frozenset(f"{file.name} {_hash(file) if is_file(file) else _identity(file)}" for file in files)


def _hash(file: Path) -> str:
    return hashlib.sha256(settings.read(file) or b"").hexdigest()


class Inside:
    """Of a worker with a sandbox: takes away what its commands put there.

    Made before guardian and worker part: both compare with what was there then.
    """

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self.unlooked = os.memfd_create("unlooked", os.MFD_CLOEXEC)
        """Not empty from a command's start until all is over that was started and somebody has looked after it."""
        self._nested = Nested(workspace, *repository_places.at_first(workspace))
        self._meant = dict.fromkeys(repository_places.missing(workspace), Meant())
        """What is to be there, where it cannot be protected or the folders around it can be moved."""
        self._links = Links()
        repository = repository_places.linked(workspace)
        tops = (workspace, *([repository] if repository else ()))
        own = [folder for folder in repository_places.folders(workspace) if any(map(folder.is_relative_to, tops))]
        self._own = [folder for folder in own if not any(folder.is_relative_to(top) for top in own if top != folder)]
        self._links.appeared(self._own)
        self._were_too_many = self._nested.too_many
        self._planned = self._plans()
        self._no_start = [path for path in own_code.at_start(workspace) if not os.path.lexists(path)]

    def note_protected(self) -> None:
        """In the worker, where the mounts are. Not our own folder: what is in that is vouched for or does not count."""
        for path in repository_places.protected(self._workspace):
            if path != self._workspace / OWN and is_read_only(path):
                self._meant[path] = Meant(_says(path), _identity(path))

    def before(self, _program: Program, _grant: Grant) -> None:
        os.pwrite(self.unlooked, b"\n", 0)

    def at_end(self) -> None:
        """In the guardian, when all that ran has been ended: the worker may not have lived to look after it."""
        if os.fstat(self.unlooked).st_size:
            self.after(over=True)

    def after(self, *, over: bool = False) -> str:
        """What became of a rebase stays, for it may be the command's own."""
        if over:
            os.ftruncate(self.unlooked, 0)
        done = (
            self._without_links(),
            self._without_programs(),
            self._without_start(),
            self._too_many(),
            self._new_plans(),
        )
        return "\n".join(filter(None, done))

    def _without_links(self) -> str:
        removed = [link for link in self._links.appeared(self._own) if _remove(link)]
        names = " and ".join(os.path.relpath(link, self._workspace) for link in removed)
        return f"{names} appeared, a symlink, and git writes through those: removed." if names else ""

    def _without_programs(self) -> str:
        taken = [
            (path, "it")
            for path, meant in self._meant.items()
            if os.path.lexists(path) and not self._is_meant(path, meant) and _take(path)
        ]
        for found, why in self._nested.dangerous():
            if (entry := _take_repository(found)) is not None:
                taken.append((entry, why))
        if not taken:
            return ""
        names = " and ".join(os.path.relpath(path, self._workspace) for path, _ in taken)
        whys = " and ".join(dict.fromkeys(why for _, why in taken))
        return f"{names} appeared, and git would run what {whys} says: renamed to NAME.taken-away-*."

    def _is_meant(self, path: Path, meant: Meant) -> bool:
        """Also what the user's git has put there, outside, as long as git would run nothing more than before. That is
        looked at each time, for where nothing is protected any more commands write.
        """
        is_protected = _identity(path) == meant.identity and is_read_only(path)
        return is_protected or _says(path) <= meant.says

    def _without_start(self) -> str:
        taken = [path for path in self._no_start if os.path.lexists(path) and _take(path)]
        names = " and ".join(os.path.relpath(path, self._workspace) for path in taken)
        return f"{names} appeared, which runs whenever Trouper starts: renamed to NAME.taken-away-*." if names else ""

    def _too_many(self) -> str:
        before, self._were_too_many = self._were_too_many, self._nested.too_many
        if before or not self._were_too_many:
            return ""
        return f"There are {self._were_too_many}: what git would run in the others was not looked at."

    def _new_plans(self) -> str:
        before, self._planned = self._planned, self._plans()
        new = sorted(self._planned - before)
        if not new:
            return ""
        plan, program = new[0]
        where, line = os.path.relpath(plan, self._workspace), f"`exec {program[:SHOWN]}`"
        more = f" and {len(new) - 1} more" if len(new) > 1 else ""
        return f"{where} got {line}{more}: git runs that when the rebase goes on, outside the sandbox, too."

    def _plans(self) -> set[tuple[Path, str]]:
        """Of rebases that are not over, and what they are going to run."""
        folders = dict.fromkeys((*self._own, *self._nested.folders()))
        return {(plan, program) for each in folders for plan in plans.of(each) for program in plans.programs(plan)}


def _identity(path: Path) -> tuple[int, int]:
    try:
        info = path.stat()
    except OSError:
        return (0, 0)  # there, and leading nowhere
    return info.st_dev, info.st_ino


def _take(path: Path) -> bool:
    away = f"{path.name}.taken-away-{secrets.token_hex(3)}"
    return _change(path, lambda folder: os.rename(path.name, away, src_dir_fd=folder, dst_dir_fd=folder))


def _remove(link: Path) -> bool:
    return _change(link, lambda folder: os.unlink(link.name, dir_fd=folder))


def _take_repository(top: Path) -> Path | None:
    """What was taken: `.git`, and its HEAD, without which what it is renamed to is no repository either; or a hook."""
    if not is_folder(top):
        return top if _take(top) else None
    entry = top / ".git"
    if not os.path.lexists(entry):
        return top / "HEAD" if _take(top / "HEAD") else None
    _take(entry / "HEAD")
    return entry if _take(entry) else None


def _change(path: Path, change: Callable[[int], object]) -> bool:
    """Of an entry of a folder, also where a command has made that read-only, but not where a symlink leads elsewhere:
    in the guardian nothing else keeps us inside.
    """
    try:
        folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    held = Path(f"/proc/self/fd/{folder}")
    try:
        if held.readlink() != path.parent:
            return False
        mode = held.stat().st_mode
        if not os.access(held, os.W_OK):
            held.chmod(mode | stat.S_IRWXU)
        change(folder)
        held.chmod(mode)
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


class Outside(msgspec.Struct):
    """Of a worker without one: refuses where git would run what the session may have made."""

    workspace: Path
    since: float
    """When the session began: what was changed later is looked at."""
    known: dict[Path, frozenset[str]] = msgspec.field(default_factory=dict)
    """Settings that files had which were not."""

    def before(self, _program: Program, grant: Grant) -> None:
        """Raises ToolFailed, OSError."""
        git = installed_programs.find("git", self.workspace)
        if not git:
            return
        if grant.anywhere:
            raise ToolFailed(
                "Not run: in which folder git runs, or with which remote, is not known before it runs, so nobody can "
                "look whether it would run what the session has made there. Write both out."
            )
        waiting = [top for folder in (self.workspace, *map(Path, grant.folders)) if (top := _top(folder))]
        looked: set[Path] = set()
        while waiting:
            top = waiting.pop(0)
            if top in looked:
                continue
            if len(looked) == MOST:
                raise ToolFailed(f"Not run: it is about more than {MOST} repositories. Name fewer, or ask the user.")
            looked.add(top)
            if why := next(self._dangers(git, top), ""):
                raise ToolFailed(
                    f"Not run: {why} since the session began, and git outside the sandbox could run it. "
                    "Tell the user, who can look at it, remove it, or run this command in a terminal."
                )
            folders = repository_places.all_folders(top)
            waiting += [*(named(top, folders).there() if folders else ()), *_remotes(git, top)]

    def after(self, *, over: bool) -> str:  # noqa: ARG002
        return ""

    def _dangers(self, git: str, top: Path) -> Iterator[str]:
        asked = ("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--git-path", "hooks")
        said = output(git, top, *asked)
        if not said:
            return  # no repository, and git will say so, too
        if said.count("\n") != 3:
            yield f"{top} got a repository with an odd path"
            return
        hooks = Path(said.splitlines()[2])
        folder, common = (Path(os.path.realpath(line)) for line in said.splitlines()[:2])
        if common != folder and folder.parent != common / "worktrees":
            yield f"{folder / 'commondir'} leads to {common}, written"
        for file in self._files(git, top, folder, common):
            if setting := self._new_setting(file, folder, top):
                yield f"{setting} of {file} was set"
        yield from self._written(folder, common, hooks)

    def _written(self, folder: Path, common: Path, hooks: Path) -> Iterator[str]:
        for file in (file for name in LEGACY if (common / name).is_dir() for file in sorted((common / name).iterdir())):
            if self._is_new(file):
                yield f"{file} was written"
        for hook in sorted(hooks.iterdir()) if hooks.is_dir() else ():
            if hook.suffix != ".sample" and os.access(hook, os.X_OK) and (self._is_new(hooks) or self._is_new(hook)):
                yield f"{hook} was written"
        plan = folder / plans.PLAN
        if plans.programs(plan) and self._is_new(plan):
            yield f"{plan}, whose `exec` lines git runs when the rebase goes on, was written"
        for place in (common,) if folder.is_relative_to(common) else (folder, common):
            for link in made(place, self.since):
                yield f"{link}, a symlink through which git writes, was made"

    def _files(self, git: str, top: Path, folder: Path, common: Path) -> list[Path]:
        """Of settings: those that commands could have written."""
        origins = (Path(os.path.realpath(file)) for file, _, _ in listed(git, top))
        included = (file for file in origins if file.is_relative_to(self.workspace))
        return list(dict.fromkeys((common / "config", folder / "config.worktree", *included)))

    def _new_setting(self, file: Path, folder: Path, top: Path) -> str:
        text = settings.read(file)
        if text is None:
            return ""
        found = settings.elsewhere(settings.risky(text, near=True), folder, top)
        if not self._is_new(file):
            self.known[file] = found
        return next(iter(sorted(found - self.known.get(file, frozenset()))), "").partition("\n")[0]

    def _is_new(self, path: Path) -> bool:
        """By the time that no command can set."""
        return any(info.st_ctime >= self.since for info in (path.lstat(), path.stat()))


def _top(folder: Path) -> Path | None:
    """Where git finds a repository."""
    around = (folder, *folder.parents)
    return next((top for top in around if os.path.lexists(top / ".git") or (top / "HEAD").exists()), None)


def _remotes(git: str, top: Path) -> list[Path]:
    """Repositories on this machine that git reaches from this one, as it resolves what its settings say."""
    lines = [line.partition("\t") for line in output(git, top, "remote", "-v").splitlines()]
    names = {name for name, _, _ in lines}
    branches = [value for _, key, value in listed(git, top) if key.endswith(("remote", "pushdefault"))]
    addresses = [rest.rpartition(" (")[0] for _, _, rest in lines] + [word for word in branches if word not in names]
    local = [unquote(word.removeprefix("file://")) for word in addresses if not ELSEWHERE.fullmatch(word)]
    every = (Path(os.path.realpath(top / (path + end))) for path in local if path for end in ("", ".git"))
    return [found for path in dict.fromkeys(every) if path.is_dir() and (found := _top(path))]

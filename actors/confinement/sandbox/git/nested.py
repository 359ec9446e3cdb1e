"""Repositories of a workspace beside its own, which commands make or change: what of them git would run.

New ones are found in the folders near the top, submodules wherever they are: git goes there by itself.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from actors.common.small_files import entries, is_folder
from actors.confinement.sandbox.git import repository_places, settings
from actors.confinement.sandbox.git.folders import Finder, Stamp
from actors.confinement.sandbox.git.index import Named, named
from actors.confinement.sandbox.git.links import Links

MOST_READ = 1 << 22
"""Bytes of changed settings that are read through after one command: the rest counts as dangerous."""
MOST = 1000
"""Repositories that are looked at."""


class _State(msgspec.Struct, frozen=True):
    hooks: dict[Path, Stamp]
    """Those that git would run."""
    beside: dict[Path, Stamp]
    """Those among the files of the repository, where the user's own settings place them."""
    configs: dict[Path, bytes]


NOTHING = _State({}, {}, {})


class Nested:
    def __init__(self, workspace: Path, finder: Finder, there: Iterable[Path]) -> None:
        """there: the tops of those that are the user's."""
        self._workspace, self._finder = workspace, finder
        self._indexes: dict[Path, tuple[list[Stamp | None], Named]] = {}
        self.too_many = ""
        """What there is more of than is looked at."""
        self._left = MOST_READ
        self._is_own = bool(repository_places.folders(workspace))
        self._links = Links()
        self._hooks_beside = repository_places.users_hooks()
        self._known = {top: self._state(top) for top in self._tops(there)}
        for top in self._known:
            self._links.appeared(self._inside(top))

    def dangerous(self) -> list[tuple[Path, str]]:
        """The tops of those that name programs now and did not when this was last asked, and what does; of hooks among
        their files these alone.
        """
        found: list[tuple[Path, str]] = []
        self._left = MOST_READ
        for top in self._tops(self._known):
            before, now = self._known.get(top, NOTHING), self._state(top)
            new = [hook for hook, stamp in now.beside.items() if before.beside.get(hook) != stamp]
            if why := self._danger(top, before, now):
                found.append((top, why))
            found += [
                (hook if hook.parent == repository_places.real(hook.parent) else top, self._shown(hook)) for hook in new
            ]
            self._known[top] = now
        return found

    def _danger(self, top: Path, before: _State, now: _State) -> str:
        """Each by itself: one that cannot be looked at hides no other."""
        links = (f"the symlink {self._shown(link)}" for link in self._links.appeared(self._inside(top)))
        return next(links, "") or (next(self._dangers(top, before, now), "") if now != before else "")

    def folders(self) -> list[Path]:
        """git's own, of all that were found."""
        return [folder for top in self._known for folder in repository_places.all_folders(top)]

    def _tops(self, known: Iterable[Path]) -> list[Path]:
        tops = dict.fromkeys((*known, *self._finder.tops()))
        waiting = [self._workspace, *tops]
        while waiting and len(tops) <= MOST:
            for link in self._submodules(waiting.pop()):
                if link not in tops:
                    tops[link] = None
                    waiting.append(link)
        own = {self._workspace} if self._is_own else set()
        every = [top for top in tops if top not in own and repository_places.all_folders(top)]
        crowded = f"more than {MOST} repositories" if len(every) > MOST else ""
        many = f"more than {repository_places.MOST_LOOKED_AT} new folders" if self._finder.too_many else ""
        self.too_many = crowded or many
        return every[:MOST]

    def _inside(self, top: Path) -> list[Path]:
        return [folder for folder in repository_places.all_folders(top) if folder.is_relative_to(self._workspace)]

    def _shown(self, path: Path) -> str:
        return os.path.relpath(path, self._workspace)

    def _submodules(self, top: Path) -> list[Path]:
        folders = repository_places.all_folders(top)
        if not folders:
            return []
        indexes = [folders[0] / "index", *repository_places.within(folders[0], "sharedindex.*")]
        stamps = list(map(_stamp, (*indexes, *(folder / "config" for folder in folders))))
        before, names = self._indexes.get(top, ([], Named()))
        if stamps != before:
            names = named(top, folders)
            self._indexes[top] = stamps, names
        return names.there()

    def _state(self, top: Path) -> _State:
        folders = repository_places.all_folders(top)
        hooks = _executables(folder / "hooks" for folder in folders)
        beside = _executables(top / name for name in self._hooks_beside)
        files = [folder / name for folder in folders for name in ("config", "config.worktree")]
        configs = {file: text for file in files if (text := settings.read(file)) is not None}
        return _State(hooks, {hook: stamp for hook, stamp in beside.items() if not hook.suffix}, configs)

    def _dangers(self, top: Path, before: _State, now: _State) -> Iterator[str]:
        for hook, stamp in now.hooks.items():
            if before.hooks.get(hook) != stamp:
                yield self._shown(hook)
        for file, text in now.configs.items():
            if text == (old := before.configs.get(file, b"")):
                continue
            self._left -= len(text) + len(old)
            said = settings.risky(text) - settings.risky(old) if self._left > 0 else frozenset({"too much"})
            for setting in sorted(settings.elsewhere(said, file.parent, top)):
                yield f"{setting.partition(chr(10))[0]} of {self._shown(file)}"


def _executables(folders: Iterable[Path]) -> dict[Path, Stamp]:
    paths = (Path(entry.path) for folder in folders for entry in entries(str(folder)))
    programs = (path for path in paths if path.suffix != ".sample" and os.access(path, os.X_OK) and not is_folder(path))
    return {path: stamp for path in programs if (stamp := _stamp(path))}


def _stamp(path: Path) -> Stamp | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_ino, info.st_ctime_ns

"""Files of the workspace by a few letters, for who types: from a listing that is kept, and renewed when stale."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

import msgspec
import trio

from actors.common.plurals import how_many
from actors.messages.turn import FilesFound
from actors.tools.base import Worker
from actors.tools.output import encodable
from actors.tools.search.letters import best
from actors.tools.search.ripgrep import Wanted, only_paths, search

MOST_FILES = 100_000
"""That are listed: some 15 MB."""
MOST_BYTES = 16 * 1024 * 1024
FRESH_S = 5.0
"""A listing is answered from for so long, and ten times as long as it took; then it is renewed beside the answer."""


class Listing(msgspec.Struct, frozen=True):
    paths: tuple[str, ...]
    """Sorted, folders before what is in them."""
    more: bool
    hidden: tuple[str, ...]
    """The patterns of rules that it was made by."""
    stale_at: float
    """Of trio's clock."""


class FileFinder:
    """At most one listing is made at a time."""

    def __init__(self) -> None:
        self._listing: Listing | None = None
        self._making = trio.Lock()
        self._is_renewed = False

    async def find(self, worker: Worker, letters: str, most: int) -> FilesFound:
        """Raises ToolFailed."""
        listing = self._listing
        if listing is None or listing.hidden != worker.grant.hidden:
            listing = await self._made(worker)
        elif trio.current_time() > listing.stale_at and not self._is_renewed:
            self._is_renewed = True
            worker.nursery.start_soon(self._renew, worker)
        paths, total = await trio.to_thread.run_sync(best, letters, listing.paths, most)
        root = worker.workspace.root
        shown = tuple(path for path in paths if worker.workspace.is_readable(root / path))
        why = f"only the first {how_many(MOST_FILES, 'file')} are looked at" if listing.more else ""
        return FilesFound(paths=shown, total=total - len(paths) + len(shown), why=why)

    async def _renew(self, worker: Worker) -> None:
        try:
            await self._made(worker, anew=True)
        finally:
            self._is_renewed = False

    async def _made(self, worker: Worker, *, anew: bool = False) -> Listing:
        """Raises ToolFailed."""
        async with self._making:
            known = self._listing
            if known is not None and known.hidden == worker.grant.hidden and not anew:
                return known
            began = trio.current_time()
            wanted = Wanted(["--files"], worker.workspace.root, only_paths, MOST_FILES, most_bytes=MOST_BYTES)
            found = await search(wanted, worker)
            root = worker.workspace.root
            paths = _with_folders(record.path.relative_to(root) for record in found.records)
            took = trio.current_time() - began
            stale_at = trio.current_time() + max(FRESH_S, 10 * took)
            self._listing = Listing(tuple(paths), found.more, worker.grant.hidden, stale_at)
            return self._listing


def _with_folders(files: Iterable[PurePath]) -> Iterator[str]:
    """files: sorted. What is no text is left out: it could not be named in a prompt."""
    told: set[str] = set()
    for file in files:
        if encodable(str(file)) != str(file):
            continue
        for folder in reversed(file.parents):
            name = f"{folder}/"
            if name not in told and str(folder) != ".":
                told.add(name)
                yield name
        yield str(file)

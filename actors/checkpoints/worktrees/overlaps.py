"""Which other worktrees of the same workspace have changed the same files: said when one of them is merged."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from actors.checkpoints.repository import GitFailed, Repository
from actors.checkpoints.snapshot import blob_id, for_people
from actors.checkpoints.worktrees import present
from actors.checkpoints.worktrees.keyed_folder import Held
from actors.checkpoints.worktrees.present import Conflicting
from actors.checkpoints.worktrees.work import Entry, opened, tree
from actors.common.folders.worktree_places import GIT, Note

MOST_OTHERS = 20
"""OfHome that are looked at."""
SHOWN = 3
"""Files of each that are named."""


def overlaps(held: Held, paths: Collection[bytes]) -> Iterator[str]:
    """For people and the model; as far as it can be told."""
    note = held.noted()
    others = [one for one in held.among.notes() if one[1].repository == note.repository and one[1].key != note.key]
    for folder, other in others[:MOST_OTHERS]:
        with suppress(OSError, GitFailed):
            git = held.git(folder / other.name, folder / GIT)
            same = [for_people(path) for path in _changed(git, folder / other.name, other, paths)]
            if same:
                more = f" and {len(same) - SHOWN} more" if len(same) > SHOWN else ""
                yield f"the worktree {other.key} has changed {', '.join(same[:SHOWN])}{more}, too."


def _changed(git: Repository, top: Path, note: Note, paths: Collection[bytes]) -> Iterator[bytes]:
    before = tree(git, note.base)
    with opened(top) as root:
        for path in sorted(paths):
            with suppress(Conflicting):
                if _entry(root, path) != before.get(path):
                    yield path


def _entry(root: int, path: bytes) -> Entry | None:
    """Raises Conflicting where there is something else in the place."""
    now = present.seen(root, path, {})
    return (now.kind, blob_id(now.data)) if now else None

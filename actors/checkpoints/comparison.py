"""What has to be done so that the files are again as they were: read off two records, pure."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from actors.checkpoints.snapshot import File, Snapshot, above, for_people
from actors.messages.checkpoint import MOST_NAMED, CheckpointDiff

IN_THE_WAY = "{} is in the way"


class Plan(msgspec.Struct, frozen=True):
    """Paths in the order in which they are worked on."""

    remove: list[bytes]
    """Files; then the folders that are empty without them."""
    remove_folders: list[bytes]
    """Innermost first; those that are not empty stay."""
    make_folders: list[bytes]
    write: dict[bytes, File]
    folder_modes: dict[bytes, int]
    kept: list[bytes]
    not_restored: dict[bytes, str]
    left_out: dict[bytes, str]
    """Was not recorded then."""


def plan(then: Snapshot, now: Snapshot, made: Collection[bytes], *, remove_others: bool) -> Plan:
    """made: what turns since then have made. remove_others: what else came to be goes, too."""
    new = then.strangers([*now.files, *now.details.folders])
    going = new if remove_others else new.intersection(made)
    staying = {path for path in new - going if not path.endswith(b"/")}
    differing = {path: file for path, file in then.files.items() if now.files.get(path) != file}
    blocked = dict(_blocked(differing, now, staying))
    there = now.details.folders
    modes = {path: mode for path, mode in then.details.folders.items() if not _obstacle(path, now, staying)}
    return Plan(
        remove=sorted(path for path in going if not path.endswith(b"/")),
        remove_folders=sorted((path for path in there if path in going or _is_wanted(path, differing)), reverse=True),
        make_folders=sorted(modes.keys() - there.keys()),
        write={path: file for path, file in sorted(differing.items()) if path not in blocked},
        folder_modes={path: mode for path, mode in modes.items() if there.get(path) != mode},
        kept=sorted(staying),
        not_restored=blocked,
        left_out=then.details.left_out,
    )


def _is_wanted(folder: bytes, differing: Collection[bytes]) -> bool:
    """Its place is: a file was there."""
    return folder[:-1] in differing


def _blocked(differing: Iterable[bytes], now: Snapshot, staying: Collection[bytes]) -> Iterator[tuple[bytes, str]]:
    """What would cost something that is not ours to remove, or that nobody has recorded."""
    full = {folder for path in staying for folder in above(path)}
    unknown = now.details.left_out
    for path in differing:
        folder = path + b"/"
        if path in unknown:
            yield path, f"not recorded as it is now: {unknown[path]}"
        elif folder in full or folder in unknown or folder in now.details.passed:
            yield path, IN_THE_WAY.format(for_people(folder))
        elif over := _obstacle(path, now, staying):
            yield path, IN_THE_WAY.format(for_people(over))


def _obstacle(path: bytes, now: Snapshot, staying: Collection[bytes]) -> bytes:
    """What stays where a folder of this path would have to be; b"" for nothing."""
    over = (*above(path), path) if path.endswith(b"/") else above(path)
    unknown = now.details.left_out
    return next((one[:-1] for one in over if one[:-1] in staying or one in unknown or one[:-1] in unknown), b"")


def result(now: Snapshot, planned: Plan) -> Snapshot:
    """How it will be."""
    gone = set(planned.remove)
    files = {path: file for path, file in now.files.items() if path not in gone} | planned.write
    return Snapshot(files=files, details=now.details)


def edited_since(records: Sequence[tuple[bool, Snapshot]]) -> set[bytes]:
    """Files that differ between the end of a turn and what was recorded next: no turn has changed those.

    records: oldest first, each with whether it is the end of a turn.
    """
    changed: set[bytes] = set()
    for (is_end, earlier), (_, later) in pairwise(records):
        if is_end:
            both = earlier.files.keys() | later.files.keys()
            changed |= {path for path in both if earlier.files.get(path) != later.files.get(path)}
    return changed


def told(planned: Plan, edited: Collection[bytes] = (), diff: str = "") -> CheckpointDiff:
    """For people."""
    folders = [path for path in planned.make_folders if not any(file.startswith(path) for file in planned.write)]
    restored = [*planned.write, *folders, *(path for path in planned.folder_modes if path not in planned.make_folders)]
    touched = [path for path in (*planned.write, *planned.remove) if path in edited]
    kinds = [
        *([for_people(path) for path in paths] for paths in (restored, planned.remove, planned.kept, touched)),
        *([f"{for_people(p)}: {why}" for p, why in of.items()] for of in (planned.not_restored, planned.left_out)),
    ]
    return CheckpointDiff(
        restored=tuple(kinds[0][:MOST_NAMED]),
        removed=tuple(kinds[1][:MOST_NAMED]),
        kept=tuple(kinds[2][:MOST_NAMED]),
        edited=tuple(kinds[3][:MOST_NAMED]),
        not_restored=tuple(kinds[4][:MOST_NAMED]),
        left_out=tuple(kinds[5][:MOST_NAMED]),
        counts=(len(kinds[0]), len(kinds[1]), len(kinds[2]), len(kinds[3]), len(kinds[4]), len(kinds[5])),
        diff=diff,
    )

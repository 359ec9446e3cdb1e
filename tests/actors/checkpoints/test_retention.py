"""What is dropped: the oldest, and no more of the disk than is said; what is kept can be restored afterwards."""

import os
import time
from pathlib import Path

from actors.checkpoints import retention
from actors.checkpoints.repository import IMPORTED
from actors.checkpoints.retention import KEPT_S, MOST_BYTES, MOST_RECORDS, drop_unused, expired, tidy
from tests.actors.checkpoints.places import Place

NOW = 100 * KEPT_S


def refs(count: int, at: float = NOW) -> list[tuple[str, str, float]]:
    return [(f"r{number}", "c", at + number) for number in range(count)]


def age(place: Place, *, but: str = "") -> None:
    """All records but this one are older than they are kept."""
    for name, commit, at in place.workspace.repository.refs():
        if commit != but:
            os.utime(place.workspace.repository.folder / name, (at - KEPT_S - 1, at - KEPT_S - 1))


def test_the_oldest_go_where_they_are_many_old_or_large() -> None:
    assert expired(refs(MOST_RECORDS), NOW, 0) == []
    assert expired(refs(MOST_RECORDS + 2), NOW, 0) == ["r0", "r1"]
    assert expired([*refs(3, NOW - KEPT_S - 9), *refs(2)], NOW, 0) == ["r0", "r1", "r2"]
    assert expired(refs(4), NOW, MOST_BYTES + 1) == ["r0", "r1"]


def test_what_came_from_elsewhere_pushes_out_nothing_from_here() -> None:
    imported = [(f"{IMPORTED}{name}", commit, at) for name, commit, at in refs(MOST_RECORDS + 1, NOW + 9)]
    own = refs(MOST_RECORDS)

    assert expired([*imported, *own], NOW, 0) == [f"{IMPORTED}r0"]
    assert expired([*imported[:3], *own], NOW, MOST_BYTES + 1) == [f"{IMPORTED}r0", f"{IMPORTED}r1"]
    assert expired([*imported[:1], *own], NOW, MOST_BYTES + 1) == [f"{IMPORTED}r0"]
    assert expired(own, NOW, MOST_BYTES + 1) == [f"r{number}" for number in range(MOST_RECORDS // 2)]


def test_a_workspace_that_is_used_is_not_removed_however_old_it_is(place: Place) -> None:
    place.write("a")
    place.take()
    home = place.home / "checkpoints"
    (lock,) = home.glob("*/lock")
    began = lock.stat().st_mtime - KEPT_S - 60
    os.utime(lock, (began, began))

    place.take("t2")
    drop_unused(home, began + KEPT_S + 60)

    assert lock.exists()


def test_one_that_was_removed_while_its_program_was_idle_is_begun_anew(place: Place) -> None:
    place.write("a.txt", "one\n")
    place.take("t1")
    drop_unused(place.home / "checkpoints", time.time() + 2 * KEPT_S)
    removed = not place.workspace.repository.folder.exists()

    checkpoint = place.take("t2")
    place.write("a.txt", "two\n")
    place.restore(checkpoint)

    assert (removed, (place.root / "a.txt").read_text()) == (True, "one\n")


async def test_what_is_dropped_is_off_the_disk_and_what_is_kept_comes_back(place: Place) -> None:
    path = place.write("large.bin")
    path.write_bytes(os.urandom(3_000_000))
    place.take("t1")
    path.write_bytes(b"small\n")
    kept = place.take("t2")
    age(place, but=kept)
    repository = place.workspace.repository
    before = sum(retention._sizes(repository.folder))

    await tidy(repository)
    path.write_bytes(b"other\n")
    place.take("t3")
    place.restore(kept)

    assert path.read_bytes() == b"small\n"
    assert kept in [commit for _, commit, _ in repository.refs()]
    assert before > 3_000_000 > 100_000 > sum(retention._sizes(repository.folder))


async def test_nothing_is_dropped_while_somebody_is_at_work(place: Place) -> None:
    place.write("a")
    place.take()
    age(place)

    with place.workspace._open():
        await tidy(place.workspace.repository)

    assert len(place.workspace.repository.refs()) == 1


def test_workspaces_that_are_not_used_any_more_are_removed(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write("a")
    place.take()
    home = place.home / "checkpoints"
    (now,) = [path.stat().st_mtime for path in home.glob("*/lock")]

    drop_unused(home, now + KEPT_S - 60)
    kept = list(home.iterdir())
    drop_unused(home, now + KEPT_S + 60)

    assert (len(kept), list(home.iterdir())) == (1, [])

"""Killed at any moment, or with the files changing below it: nothing is lost, and nothing outside is touched."""

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.actors.checkpoints.killing import Forks, forks
from tests.actors.checkpoints.places import Editor, Place, state

LONGEST_S = 0.12
"""About as long as one of them takes."""


@pytest.fixture(scope="module")
def program() -> Iterator[Forks]:
    with forks(__name__, act.__name__) as program:
        yield program


def act(folder: str, what: str, of: str, restore_id: str = "") -> None:
    place = Place(Path(folder))
    if what == "take":
        place.take(of)
    else:
        place.restore(of, remove_others=True, restore_id=restore_id)


def a_large_place(place: Place, seed: int) -> Editor:
    for number in range(150):
        place.write(f"d{number % 7}/{number}", f"{seed} {number}\n" * 50)
    editor = Editor(place.root, seed)
    editor.edit(20)
    return editor


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_killed_while_it_records_nothing_is_lost(program: Forks, place: Place, seed: int) -> None:
    editor = a_large_place(place, seed)
    kept, before = place.take("kept"), place.state()
    editor.edit(10)
    second = place.state()

    program.killed(seed, LONGEST_S, place.root.parent, "take", "next")
    taken = place.take("next")
    editor.edit(10)
    place.restore(taken, remove_others=True)
    back = place.state()
    place.restore(kept, remove_others=True)

    assert back == second
    assert place.state() == before


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_killed_while_it_restores_the_same_again_completes_it(program: Forks, place: Place, seed: int) -> None:
    editor = a_large_place(place, seed)
    checkpoint, before = place.take(), place.state()
    for path in sorted(path for path in place.root.glob("d*/*5") if path.is_file() and not path.is_symlink()):
        path.write_text("other\n")
    editor.edit(20)
    edited = place.state()

    for again in range(3):
        program.killed(100 * seed + again, LONGEST_S, place.root.parent, "restore", checkpoint, "one")
    restored = place.restore(checkpoint, remove_others=True, restore_id="one")
    back = place.state()
    place.restore(restored.undo_id, remove_others=True)

    assert back == before
    assert place.state() == edited


def test_folders_that_turn_into_links_meanwhile_lead_nowhere(place: Place, tmp_path: Path) -> None:
    """Somebody exchanges a folder for a link to one outside, as fast as it goes."""
    outside = tmp_path / "outside"
    for number in range(5):
        place.write(f"folder/{number}", f"{number}\n")
        (outside / str(number)).parent.mkdir(exist_ok=True)
        (outside / str(number)).write_text("not ours\n")
    checkpoint = place.take()
    folder, aside = place.root / "folder", place.root / "aside"
    before, over = state(outside), threading.Event()

    def exchange() -> None:
        acts: list[Callable[[], object]] = [
            lambda: folder.rename(aside),
            lambda: folder.symlink_to(outside),
            lambda: (aside / "3").write_text("changed\n"),
            folder.unlink,
            lambda: aside.rename(folder),
        ]
        while not over.is_set():
            for act in acts:
                with suppress(OSError):  # the restore was there before
                    act()

    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        for number, _ in itertools.product(range(5), range(4)):
            (tmp_path / "work" / "changed").write_text(str(number))
            place.restore(checkpoint, remove_others=bool(number % 2))
            place.take(f"t{number}")
    finally:
        over.set()
        thread.join()

    assert state(outside) == before
    assert all(b"not ours" not in blob for blob in all_blobs(place))


def all_blobs(place: Place) -> list[bytes]:
    repository = place.workspace.repository
    listed = repository.run("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)").split(b"\n")
    names = [line.split()[1].decode() for line in listed if line.startswith(b"blob")]
    with repository.blobs() as blobs:
        return [blobs.read(name) for name in names]

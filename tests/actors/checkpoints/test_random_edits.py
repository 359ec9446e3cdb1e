"""What was recorded comes back, byte for byte, whatever was done to it; and that can be taken back."""

import pytest

from actors.checkpoints.snapshot import for_people
from tests import SOAK
from tests.actors.checkpoints.places import Editor, Place, state

SEEDS = range(200 if SOAK else 50)
FOLDER = ("folder", 0, b"")


@pytest.mark.parametrize("seed", SEEDS)
def test_any_edits_are_taken_back_and_that_too(place: Place, seed: int) -> None:
    editor = Editor(place.root, seed)
    if seed % 2:
        place.git("init", "-q")
    editor.edit(30)
    before, checkpoint = state(place.root, without=".git"), place.take()
    editor.edit(20)
    edited = state(place.root, without=".git")

    told = place.diff(checkpoint, remove_others=True)
    untouched = state(place.root, without=".git")
    changed = {path for path, was in before.items() if was[0] != "folder" and edited.get(path) != was}
    new = {path for path, now in edited.items() if now[0] != "folder" and before.get(path, FOLDER)[0] == "folder"}
    restored = place.restore(checkpoint, remove_others=True)
    back = state(place.root, without=".git")
    place.restore(restored.undo_id, remove_others=True)

    assert untouched == edited
    assert back == before
    assert state(place.root, without=".git") == edited
    assert told.is_empty == (before == edited)
    assert {path for path in told.restored if not path.endswith("/")} == set(map(for_people, changed))
    assert set(told.removed) == set(map(for_people, new))
    assert restored.done.counts == (*told.counts[:3], 0, *told.counts[4:])

"""Whatever is done in a worktree: its patch, what is merged and what is kept of it are exactly that."""

from pathlib import Path

import pytest

from actors.errors import Failed
from tests import SOAK
from tests.actors.checkpoints.worktrees.copies import Copies, Editor, files

SEEDS = range(60 if SOAK else 18)


@pytest.mark.parametrize("seed", SEEDS)
def test_patch_merge_and_what_is_kept_are_the_state_of_the_worktree(copies: Copies, seed: int) -> None:
    editor = Editor(copies.root, seed)
    editor.edit(30)
    copies.begin()
    if seed % 3 == 0:
        editor.edit(15)
    made = copies.make(changes=seed % 3 == 0)
    before, top = files(copies.root), Path(made.top)
    begun = files(top)
    inside = Editor(top, 1000 + seed)
    inside.edit(12)
    if seed % 2:
        copies.git("add", "-A", cwd=top)
        copies.git("commit", "-q", "--allow-empty", "-m", "half", cwd=top)
    inside.edit(12)
    wanted = files(top)

    patch = copies.patch()
    untouched = files(copies.root)
    merged = copies.merge()
    workspace = files(copies.root)
    again = copies.merge()
    ref = copies.remove()

    assert begun == before == untouched
    assert workspace == wanted
    assert merged.conflicts == again.conflicts == again.files == ()
    assert bool(patch.text) == bool(patch.files) == (wanted != begun)
    assert set(merged.files) == set(patch.files)
    assert copies.keys() == []
    assert not top.exists()
    if ref:
        assert files(copies.kept(ref)) == wanted
        assert files(copies.applied(patch, patch.base)) == wanted
    assert ref or wanted == begun


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_a_worktree_made_again_is_as_the_one_that_was_removed(copies: Copies, seed: int) -> None:
    Editor(copies.root, seed).edit(20)
    copies.begin()
    top = Path(copies.make().top)
    Editor(top, 1000 + seed).edit(20)
    before, first = files(top), copies.patch()
    copies.remove()
    copies.write("on with it", "since\n")
    copies.commit()

    copies.make()

    assert files(top) == before
    assert copies.patch() == first
    with pytest.raises(Failed, match="no commit"):
        copies.make("other", base="nowhere")

"""Whole screens against stored ones; tests/ui/screen/golden.py writes them."""

import pytest

from tests.ui.screen import golden, golden_pager


@pytest.mark.parametrize("width", golden.WIDTHS)
@pytest.mark.parametrize("name", golden.SCENES)
def test_a_screen_looks_as_stored(name: str, width: int) -> None:
    assert golden.draw(name, width) == golden.path(name, width).read_text()


@pytest.mark.parametrize("width", golden.STYLED_WIDTHS)
@pytest.mark.parametrize("look", golden.STYLED)
@pytest.mark.parametrize("name", golden.SCENES)
def test_a_screen_has_its_colours_as_stored(name: str, look: str, width: int) -> None:
    assert golden.styled(name, look, width) == golden.styled_path(name, look, width).read_text()


@pytest.mark.parametrize("width", golden.WIDTHS)
def test_the_pager_looks_as_stored(width: int) -> None:
    assert golden_pager.paged(width) == golden.path("pager", width).read_text()


@pytest.mark.parametrize("width", golden.STYLED_WIDTHS)
@pytest.mark.parametrize("look", golden.STYLED)
def test_the_pager_has_its_colours_as_stored(look: str, width: int) -> None:
    assert golden_pager.styled(look, width) == golden.styled_path("pager", look, width).read_text()


def test_a_terminal_is_told_what_is_stored() -> None:
    assert golden.titles() == golden.TITLES.read_text()


@pytest.mark.parametrize("name", golden.SCENES)
def test_a_screen_without_utf8_looks_as_stored(name: str) -> None:
    drawn = golden.in_ascii(name)

    assert drawn == golden.ascii_path(name).read_text()
    assert drawn.replace("▌", "").isascii()


@pytest.mark.parametrize("name", golden.SCENES)
def test_the_smallest_screen_looks_as_stored(name: str) -> None:
    assert golden.smallest(name) == golden.smallest_path(name).read_text()


@pytest.mark.parametrize("height", range(2, 14))
@pytest.mark.parametrize("name", golden.SCENES)
def test_the_live_rows_always_fit(name: str, height: int) -> None:
    scene, events = golden.set_up(name, golden.PLAIN)
    for event in events:
        scene.session.apply(event)
    for width in (1, 2, 5, 20, 80):
        view = scene.view(width, height, golden.NOW)

        assert len(view.rows) < height or height == 1
        assert 0 <= view.row < len(view.rows)
        assert 0 <= view.column < width


def test_the_smallest_pager_looks_as_stored() -> None:
    assert golden_pager.smallest() == golden.smallest_path("pager").read_text()

"""/theme: what the screen wears while one looks, and after one has chosen."""

from pathlib import Path

import pytest
import wcwidth

from actors.settings.config import Settings
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.switches.theme_switch import ThemeSwitch
from ui.screen.terminal.keys import Key, Text
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.themes.built_in import ANSI, LOOKS, MONO
from ui.screen.terminal.wardrobe import Wardrobe


class Desk:
    """The composer with its picker. What was to be kept is noted, as no task runs here."""

    def __init__(self, home: Path, chosen: str = "auto", theme: Theme | None = None) -> None:
        self.theme = theme or Theme(depth="24bit")
        self.said: list[str] = []
        self.kept: list[str] = []
        self.repainted = 0
        self.wardrobe = Wardrobe(self.theme, home)
        settings = Settings(home=str(home), cwd="/w", session_id="s", run_id="r", theme=chosen)
        self.switch = ThemeSwitch(
            settings, self.wardrobe, self._start, self._repaint, lambda *it: self.said.append(it[0])
        )
        self.switch.begin(again=False)
        self.controls = Controls(History([]), lambda: "nothing")
        self.controls.layers.append(self.switch.picker)

    def _start(self, _task: object, name: str) -> None:
        self.kept.append(name)

    def _repaint(self) -> None:
        self.repainted += 1

    def press(self, *names: str) -> None:
        for name in names:
            self.controls.handle(Key(name), 0.0)

    def rows(self, width: int = 60, room: int = 20) -> list[str]:
        return self.switch.picker.rows(width, room, Theme(colour=False))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_what_is_marked_is_worn_and_enter_keeps_it(desk: Desk) -> None:
    desk.switch.offer()
    desk.press("down", "down")

    assert desk.theme.palette == LOOKS["light"].light
    desk.press("enter")

    assert (desk.theme.palette, desk.kept, desk.repainted) == (LOOKS["light"].light, ["light"], 1)
    assert not desk.switch.picker.open


@pytest.mark.parametrize("key", ["esc", "left"])
def test_other_keys_leave_all_as_it_was(desk: Desk, key: str) -> None:
    desk.switch.offer()
    desk.press("up", key)

    assert (desk.theme.palette, desk.kept, desk.switch.picker.open) == (ANSI, [], False)


def test_what_is_typed_goes_into_the_composer(desk: Desk) -> None:
    desk.switch.offer()
    desk.controls.handle(Text("x"), 0.0)

    assert desk.controls.editor.text == "x"
    assert not desk.switch.picker.open


def test_the_background_decides_once_it_is_told(desk: Desk) -> None:
    assert desk.theme.palette == ANSI
    desk.wardrobe.told((255, 255, 255))

    assert desk.theme.palette == LOOKS["auto"].light
    desk.wardrobe.told((30, 30, 46))

    assert desk.theme.palette == LOOKS["auto"].dark


def test_without_colours_every_theme_is_the_same(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "dark", Theme(depth="none"))

    desk.switch.choose("light")

    assert desk.theme.palette == MONO


def test_an_unknown_one_of_the_settings_is_named(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "drak")

    assert desk.theme.palette == ANSI
    assert desk.said == [f"there is no theme drak; there are {', '.join(LOOKS)}"]


def test_one_of_the_users_own_is_offered_and_its_mistakes_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "themes"
    folder.mkdir()
    (folder / "ink.toml").write_text('base = "light"\nsummary = "ink"\n[styles]\nadded = "blue"\nbad = "rde"\n')
    desk = Desk(tmp_path)

    desk.switch.offer()
    desk.press("up")

    assert " ▸ ink            ink" in [wcwidth.strip_sequences(row) for row in desk.rows()]
    assert desk.theme.palette == {**LOOKS["light"].light, "added": "blue"}
    assert [f"{folder}/ink.toml: [styles] bad:" in said for said in desk.said] == [True]


@pytest.mark.parametrize("width", [20, 40, 120])
@pytest.mark.parametrize("room", range(1, 20))
def test_it_fits_and_shows_what_is_marked(desk: Desk, width: int, room: int) -> None:
    desk.switch.offer()
    desk.press("down", "down", "down", "down")

    rows = desk.rows(width, room)

    assert len(rows) <= room
    assert room < 2 or any("▸ colour-blind" in row for row in rows)

"""Which theme the screen has: by the settings, or as the user chooses; what is chosen is kept."""

from collections.abc import Callable
from pathlib import Path

import trio

from actors.errors import BadConfiguration
from actors.settings import toml_files
from actors.settings.config import Settings, UserFile
from ui.screen.switches.theme_picker import ThemePicker
from ui.screen.terminal.themes import user_themes
from ui.screen.terminal.themes.built_in import LOOKS
from ui.screen.terminal.wardrobe import Wardrobe


class ThemeSwitch:
    def __init__(
        self,
        settings: Settings,
        wardrobe: Wardrobe,
        start: Callable[..., None],
        repaint: Callable[[], None],
        say: Callable[[str, str], None],
    ) -> None:
        """start: a task. repaint: all that is on the screen. say: text, level."""
        self._settings = settings
        self._wardrobe = wardrobe
        self._start = start
        self._repaint = repaint
        self._say = say
        self.picker = ThemePicker(wardrobe, self.choose)

    def begin(self, *, again: bool) -> None:
        """again: in a later life of the screen, which may have been told another one."""
        chosen = self._written_down() if again else self._settings.theme
        self._tell(self._wardrobe.wear(chosen))

    def offer(self) -> None:
        found = user_themes.find(Path(self._settings.home))
        self._tell(tuple(problem for problems in found.problems.values() for problem in problems))
        self.picker.show(LOOKS | found.looks)

    def choose(self, name: str) -> None:
        before = self._wardrobe.chosen
        problems = self._wardrobe.wear(name)
        self._tell(problems)
        if self._wardrobe.chosen != name:
            return
        self._repaint()
        if name != before:
            self._start(self._keep, name)

    def _written_down(self) -> str:
        try:
            return toml_files.read(Path(self._settings.home, "config.toml"), UserFile).theme
        except BadConfiguration:  # it was good when the session began, and whoever broke it is told then
            return self._settings.theme

    async def _keep(self, name: str) -> None:
        from actors.settings.saved_rules import set_key  # what it needs takes 30 ms

        try:
            await trio.to_thread.run_sync(set_key, Path(self._settings.home), "theme", name)
        except BadConfiguration as error:
            self._say(f"the theme is {name} until this session ends: {error}", "warning")
        else:
            self._say(f"the theme is {name} from now on", "info")

    def _tell(self, problems: tuple[str, ...]) -> None:
        for problem in problems:
            self._say(problem, "warning")

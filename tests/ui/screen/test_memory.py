"""/init, /remember and /memory: the user's own hand on the file that every session is told of."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from actors.settings.config import Settings
from ui.screen.commands import dispatch


@dataclass
class Said:
    """The screen, as far as these commands see it."""

    home: Path
    said: list[tuple[str, str]] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        return Settings(home=str(self.home), cwd=str(self.home), session_id="s", run_id="r")

    def say(self, text: str, level: str = "info") -> None:
        self.said.append((level, text))

    def prompt(self, text: str) -> None:
        self.prompts.append(text)

    def bring_back(self, line: str) -> None:
        pass  # it is the screen's


def run(screen: Said, name: str, argument: str = "") -> tuple[str, str]:
    dispatch.run(screen, f"/{name} {argument}".rstrip())  # type: ignore[arg-type]  # they need no more of it
    return screen.said[-1]


def test_what_is_remembered_is_shown(tmp_path: Path) -> None:
    screen = Said(tmp_path)

    assert run(screen, "memory") == (
        "info",
        f"nothing is remembered. {tmp_path}/memory.md: it is yours to edit; /remember TEXT adds a line",
    )
    assert run(screen, "remember", "use tabs")[0] == "info"
    assert run(screen, "memory")[1].startswith("- use tabs\n\n")


def test_init_asks_the_model_for_agents_md_with_ones_wishes(tmp_path: Path) -> None:
    screen = Said(tmp_path)

    dispatch.run(screen, "/init in German")  # type: ignore[arg-type]

    (prompt,) = screen.prompts
    assert "write AGENTS.md" in prompt
    assert prompt.endswith("The user adds: in German")


@pytest.mark.parametrize(
    ("name", "argument", "level"),
    [("remember", "", "warning"), ("memory", "x", "warning"), ("remember", "x" * 2000, "error")],
)
def test_a_mistake_is_said_and_writes_nothing(tmp_path: Path, name: str, argument: str, level: str) -> None:
    assert run(Said(tmp_path), name, argument)[0] == level
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "memory.md").mkdir()

    assert "cannot be read" in run(Said(tmp_path), "memory")[1]

"""Who looks elsewhere is called, by the terminal and by macOS."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from ui.screen.surroundings import calling
from ui.screen.surroundings.calling import Calling, command

HOSTILE = 'done" & (do shell script "touch owned") & "'


@dataclass
class Terminal:
    focused: bool


@pytest.mark.parametrize(
    ("focused", "system", "called"),
    [(True, True, []), (False, False, ["terminal"]), (False, True, ["terminal", "system"])],
)
def test_only_who_looks_elsewhere_is_called(focused: bool, system: bool, called: list[str]) -> None:
    record: list[str] = []
    calls = Calling(
        lambda _: record.append("terminal"),
        Terminal(focused),
        lambda *_: record.append("system"),
        system=system,
    )

    calls.call("the turn is over")

    assert record == called


def test_what_is_shown_is_no_part_of_the_script() -> None:
    words = command(HOSTILE)

    assert [one for one in words if HOSTILE in one] == [HOSTILE]
    assert words.index("--") < words.index(HOSTILE)
    assert words[words.index(HOSTILE) - 2] == "end run"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What an osascript of ours was given, a line each."""
    file = tmp_path / "told"
    script = tmp_path / "osascript"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {file}\nenv >> {file}\nexit 1\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SOME_API_KEY", "secret-of-the-house")
    return file


async def test_it_gets_the_words_and_no_secret_and_may_fail(told: Path) -> None:
    await calling.notify(command(HOSTILE))

    assert HOSTILE in told.read_text().splitlines()
    assert "secret-of-the-house" not in told.read_text()


async def test_without_it_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    await calling.notify(command("the turn is over"))

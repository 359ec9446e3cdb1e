"""Whatever comes from outside is hostile at once: nothing of it reaches the terminal but as text that can be seen."""

import json
import re
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from actors.messages.tool import UserAsked
from tests.ui.screen import golden
from ui.common.harmless import sanitise
from ui.screen.questions.queue import Questions
from ui.screen.surroundings.known import Surroundings
from ui.screen.terminal.renderer import Renderer

EVILS = (
    "\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07\x1b[2J\x1b[3J\x1bc\x1b[?1049h\x1b[8m",
    "\x9b31m\x9d0;t\x9c\x85\x84\x90q\x9c\x00\x07\x08\x0b\x0c\x0e\x7f",
    "\u202eevil\u2066\u2028\u200b\u2060\ufeff\u061c\U000e0041\U000e0101",
    "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\ \x1b]9;4;1;50\x07 \x1bP+q544e\x1b\\",
    "\udc80\ud800 " + "e" + "\u0301" * 400 + " " + "👨‍👩‍👧‍👦" * 30 + " " + "世" * 90 + "x" * 3000,
)
OURS = re.compile(
    r"\x1b\[[0-9;]*m|\x1b\[[0-9]*[ABCDK]|\x1b\[\?(?:2026|25)[hl]|\x1b\]8;(?:id=[\w-]*)?;(?:https?://[!-~]*)?\x1b\\|\r\n?|\n"
)
"""Sequences that the renderer and the themes write."""
FIXED = {
    *("id", "call_id", "session_id", "parent", "prompt_id", "turn_id", "kind", "reason", "mode", "level", "sandbox"),
    *("stop_reason", "default", "escape", "state", "type", "key", "media_type", "sha256"),
}
"""Fields whose words are ours."""


def hostile(value: object, evil: str) -> object:
    """The same with every text that others may have written ending in evil."""
    if isinstance(value, str):
        return _json(value, evil) or "\n".join(line + evil for line in value.split("\n"))
    if isinstance(value, tuple):
        return tuple(hostile(one, evil) for one in value)
    if isinstance(value, msgspec.Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__ if name not in FIXED}
        return replace(value, **{name: hostile(one, evil) for name, one in fields.items()})
    return value


def _json(text: str, evil: str) -> str:
    """Arguments of a call stay arguments; "" for what is none."""
    if not text.startswith("{"):
        return ""
    whole = json.loads(text)
    return json.dumps({key: one + evil if isinstance(one, str) else one for key, one in whole.items()})


class HostileQuestions(Questions):
    def __init__(self, evil: str) -> None:
        super().__init__()
        self._evil = evil

    def add(self, question: UserAsked) -> int:
        evil = hostile(question, self._evil)
        assert isinstance(evil, UserAsked)
        return super().add(evil)


@pytest.mark.parametrize("width", golden.WIDTHS)
@pytest.mark.parametrize("evil", EVILS, ids=["osc", "c1", "bidi", "links", "graphemes"])
@pytest.mark.parametrize("name", golden.SCENES)
def test_nothing_from_outside_steers_the_terminal(name: str, evil: str, width: int) -> None:
    written = "".join(frames(name, evil, width))

    left = OURS.sub("", written)
    assert [character for character in left if sanitise(character) != character] == []
    assert "\x1b]52" not in written
    assert written.count("\x1b[?2026h") == written.count("\x1b[?2026l")


def around(evil: str) -> Surroundings:
    """A branch may have any name that git takes; a program in the sandbox may write another one to HEAD."""
    return Surroundings(f"~/src{evil}", f"main{evil}*", windows=golden.AROUND.windows)


def frames(name: str, evil: str, width: int) -> Iterator[str]:
    """Of the whole scene, all of it hostile, one an event."""
    session = golden.SessionView()
    shown = golden.Shown(session)
    controls = golden.Controls(golden.History([]), lambda: shown.reach)
    controls.questions = HostileQuestions(evil)
    theme = golden.worn("dark")
    scene = golden.Scene(shown, controls, around(evil), theme, wall=lambda: golden.BEGAN + 14)
    renderer = Renderer(width, golden.HEIGHT)
    for event in golden.SCENES[name](session, controls):
        session.apply(hostile(event, evil))  # type: ignore[arg-type]  # it has the type of what it was made of
        fresh = shown.take()[0]
        yield renderer.frame(fresh, scene.view(width, golden.HEIGHT, golden.NOW), theme)

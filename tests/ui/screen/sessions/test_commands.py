"""What the commands that go about in sessions ask the screen for."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from actors.settings.config import Settings
from ui.screen.commands import dispatch

SETTINGS = Settings(home="/nowhere/home", cwd="/nowhere", session_id="s", run_id="r")


@dataclass
class Asked:
    """A screen that notes what commands want of it."""

    done: list[tuple[object, ...]] = field(default_factory=list)
    settings: Settings = SETTINGS

    def __getattr__(self, what: str) -> Callable[..., None]:
        return lambda *arguments: self.done.append((what, *arguments))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/tree", ("go_to", "")),
        ("/tree 12", ("go_to", "12")),
        ("/tree label", ("label_place", "")),
        ("/tree label  it works ", ("label_place", "it works")),
        ("/tree labels", ("go_to", "labels")),
        ("/fork", ("fork",)),
        ("/fork 1", ("say", "/fork takes nothing: choose a prompt in its list", "warning")),
        ("/rewind", ("rewind",)),
        ("/rewind undo", ("undo_rewind",)),
        ("/rewind it", ("say", "write /rewind, or /rewind undo", "warning")),
        ("/resume", ("resume", "")),
        ("/resume the cats", ("resume", "the cats")),
        ("/takeover", ("take_over",)),
        ("/takeover it", ("say", "/takeover takes nothing: it is about the session that you look at", "warning")),
        ("/new", ("begin_session", "")),
        ("/new look at a/b", ("begin_session", "look at a/b")),
        ("/name", ("say", "what is it to be called? /name TEXT", "warning")),
        ("/name the cats", ("name_session", "the cats")),
        ("/context", ("show_context",)),
        ("/context all", ("say", "/context takes nothing", "warning")),
        ("/compact", ("compact", "")),
        ("/budget", ("show_budget",)),
        ("/budget +5", ("raise_budget", 5.0)),
        ("/budget +$0.5", ("raise_budget", 0.5)),
        ("/budget 5", ("say", "write /budget, or /budget +5 for 5 dollars more", "warning")),
        ("/budget +-1", ("say", "write /budget, or /budget +5 for 5 dollars more", "warning")),
        ("/budget +inf", ("say", "write /budget, or /budget +5 for 5 dollars more", "warning")),
        ("/budget +x", ("say", "write /budget, or /budget +5 for 5 dollars more", "warning")),
        ("/clear", ("begin_session", "")),
        ("/reset look", ("begin_session", "look")),
        ("/exit", ("leave",)),
        ("/?", ("show_help",)),
        ("/models opus", ("offer_models", "opus")),
        ("/cost now", ("say", "/cost takes nothing", "warning")),
        ("/diff it", ("say", "/diff takes nothing, or session", "warning")),
        ("/compact keep the plan", ("compact", "keep the plan")),
    ],
)
def test_what_a_command_means(line: str, expected: tuple[object, ...]) -> None:
    screen = Asked()

    dispatch.run(screen, line)  # type: ignore[arg-type]

    brought_back = [("bring_back", line)] if expected[-1] == "warning" else []
    assert screen.done == [expected, *brought_back]


def test_an_unknown_command_names_the_nearest_and_is_there_again() -> None:
    screen = Asked()

    dispatch.run(screen, "/modl x")  # type: ignore[arg-type]

    said = "there is no command /modl. Did you mean /model? Nothing was sent: change it, or type over it."
    assert screen.done == [("say", said, "warning"), ("bring_back", "/modl x")]

"""The session of a subagent: who may go on with it and when, and that it goes with its parent."""

import pytest

from tests.system.harness import Place, answer
from tests.system.subagents.words import case, spawn

pytestmark = pytest.mark.slow


def looked(place: Place) -> str:
    """The id of a session whose subagent has looked for A."""
    model = place.script(answer("", spawn("one", "look for A")), cases=[case("look for A", answer("A is here."))])
    return str(place.prompt(model).finish().events[-1]["session"])


def test_while_it_works_nobody_else_goes_on_with_it(place: Place) -> None:
    slow = case("look for A", answer("A is here.", delay_s=3600))
    session = place.prompt(place.script(answer("", spawn("one", "look for A")), cases=[slow]))
    below = session.wait_for("agent", state="running")["session"]

    other = place.prompt(place.script(name="other"), "-r", below).finish()

    assert (other.code, "is open in another terminal" in other.err) == (6, True), other
    assert session.events()[-1]["type"] != "result"
    assert session.kill_supervisor() == []


def test_afterwards_it_is_opened_by_its_whole_id(place: Place) -> None:
    below = f"{looked(place)}.1"

    shown = place.run("sessions", "show", below)
    gone_on = place.prompt(place.script(answer("x"), answer("And B is there."), name="rest"), "-r", below).finish()

    assert (shown.code, "A is here." in shown.out) == (0, True), shown
    assert (gone_on.code, gone_on.events[-1]["session"]) == (0, below), gone_on
    assert gone_on.events[-1]["answer"] == "And B is there."


def test_it_is_thrown_away_and_had_back_with_its_parent(place: Place) -> None:
    parent = looked(place)

    def there() -> bool:
        return place.run("sessions", "show", f"{parent}.1").code == 0

    before = there()
    thrown_away = place.run("sessions", "delete", parent, "--yes").code
    after = there()
    had_back = place.run("sessions", "restore", parent).code

    assert (before, thrown_away, after, had_back, there()) == (True, 0, False, 0, True)

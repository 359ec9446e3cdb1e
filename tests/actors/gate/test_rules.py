"""The decision table, and what no setting can do to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.config import Permissions
from actors.gate.modes import TABLE
from actors.gate.rules import decide
from actors.messages.conversation import Effect
from actors.messages.tool import Mode

MODES = st.sampled_from(sorted(TABLE))
EFFECTS = st.sampled_from(sorted(TABLE["default"]))
RULES = st.lists(st.sampled_from(["Bash", "Write", "Edit", "Read"]), max_size=4).map(tuple)


@pytest.mark.parametrize(
    ("mode", "effect", "expected"),
    [
        ("default", "read", "allow"),
        ("default", "write", "ask"),
        ("default", "execute", "ask"),
        ("accept-edits", "write", "allow"),
        ("accept-edits", "execute", "ask"),
        ("auto", "execute", "allow"),
        ("plan", "read", "allow"),
        ("plan", "write", "deny"),
        ("plan", "execute", "deny"),
    ],
)
def test_a_mode_decides_by_effect(mode: Mode, effect: Effect, expected: str) -> None:
    assert decide(mode, effect, "tool", Permissions(), sandboxed=True).verdict == expected


@given(mode=MODES, effect=EFFECTS, allow=RULES, deny=RULES, sandboxed=st.booleans())
def test_nothing_lifts_a_deny(
    mode: Mode, effect: Effect, allow: tuple[str, ...], deny: tuple[str, ...], sandboxed: bool
) -> None:
    denied = "Bash" in deny or TABLE[mode][effect] == "deny"

    decision = decide(mode, effect, "bash", Permissions(allow=allow, deny=deny), sandboxed=sandboxed)

    assert (decision.verdict == "deny") is denied


@given(mode=MODES, effect=EFFECTS, allow=RULES, deny=RULES)
def test_an_allow_rule_never_takes_anything_away(
    mode: Mode, effect: Effect, allow: tuple[str, ...], deny: tuple[str, ...]
) -> None:
    order = ("deny", "ask", "allow")
    without = decide(mode, effect, "bash", Permissions(deny=deny), sandboxed=True).verdict
    with_rules = decide(mode, effect, "bash", Permissions(allow=allow, deny=deny), sandboxed=True).verdict

    assert order.index(with_rules) >= order.index(without)


def test_without_a_sandbox_every_command_asks_even_in_auto() -> None:
    assert decide("auto", "execute", "bash", Permissions(), sandboxed=False).verdict == "ask"
    assert decide("auto", "execute", "bash", Permissions(allow=("Bash",)), sandboxed=False).verdict == "allow"


def test_denying_edits_denies_those_that_a_service_merges() -> None:
    decision = decide("auto", "write", "morph_edit", Permissions(deny=("Edit",)), sandboxed=True)

    assert (decision.verdict, decision.why) == ("deny", 'denied by the rule "Edit"')

"""Which settings whom: secrets for those that need them, what the program was started for to its front alone."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from supervisor import tree
from supervisor.child_spec import ChildSpec
from supervisor.session_plan import Plan

FRONT = tree.front("ui.batch.front:run", terminal=False)
PLAN = Plan(
    tree=(),
    start=(),
    settings=msgspec.Raw(b"all"),
    without_secrets=msgspec.Raw(b"no secrets"),
    of_front=msgspec.Raw(b"no secrets, and tasks"),
    session_id="s",
    run_id="r",
    cwd="/w",
    home=Path("/h"),
)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (tree.PROVIDERS, b"all"),
        (tree.STORE, b"no secrets"),
        (tree.GATE, b"no secrets"),
        (FRONT, b"no secrets, and tasks"),
    ],
)
def test_each_is_told_what_it_needs(spec: ChildSpec, told: bytes) -> None:
    assert bytes(PLAN.settings_of(spec)) == told


def test_a_front_that_was_started_for_nothing_of_its_own_is_told_as_the_others() -> None:
    assert bytes(replace(PLAN, of_front=None).settings_of(FRONT)) == b"no secrets"

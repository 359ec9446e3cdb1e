"""What actors may ask of the supervisor: who may have whom started and stopped, and how many."""

import msgspec
import pytest

from supervisor import child_spec, orders
from supervisor.child import Child
from supervisor.tree import SUBAGENT, SUBAGENTS_AT_ONCE, SUBAGENTS_IN_ALL, front, session

TREE = session(front("ui.headless.prompt:run", terminal=False), main_agent=True)
SPAWNED = {"agent:sub:s-1": "agent:main", "tools:sub:s-1": "agent:main"}


def child(name: str) -> Child:
    spec = child_spec.spec_of(TREE, name)
    assert spec is not None
    return Child(name, spec, msgspec.Raw(b""))


@pytest.mark.parametrize(
    ("asker", "name"),
    [
        ("ui", "agent:t1"),
        ("ui", "agent:sub:s-1"),
        ("gate", "tools:main~none"),
        ("gate", "tools:sub:s-1~network"),
        ("gate", "web"),
        ("agent:main", "agent:sub:s-1"),
        ("agent:main", "agent:sub:s-2"),
        ("agent:main", "tools:sub:s-1~none"),
        ("agent:t1", "agent:sub:t1-1"),
    ],
)
def test_these_may(asker: str, name: str) -> None:
    assert orders.may(TREE, SPAWNED, asker, name)


@pytest.mark.parametrize(
    ("asker", "name"),
    [
        ("agent:main", "gate"),
        ("agent:main", "ui"),
        ("agent:main", "store"),
        ("agent:main", "agent:t1"),
        ("agent:main", "agent:sub"),
        ("agent:main", "tools:main"),
        ("agent:t1", "agent:sub:s-1"),
        ("agent:t1", "tools:sub:s-1"),
        ("agent:t1", "tools:sub:s-1~none"),
        ("agent:sub:s-1", "agent:sub:s-1"),
        ("agent:sub:s-1", "tools:sub:s-1"),
        ("gate", "agent:sub:s-1"),
        ("gate", "store"),
        ("tools:main", "tools:main"),
        ("nobody", "agent:sub:s-1"),
    ],
)
def test_these_may_not(asker: str, name: str) -> None:
    assert not orders.may(TREE, SPAWNED, asker, name)


def test_subagents_have_a_template_of_their_own_that_comes_before_that_of_agents() -> None:
    assert child_spec.spec_of(TREE, "agent:sub:s-1") is SUBAGENT
    assert SUBAGENT.spawns == ()
    assert not SUBAGENT.leads


def test_one_more_than_at_once_has_no_room_until_one_has_ended() -> None:
    children = {f"agent:sub:s-{n}": child(f"agent:sub:s-{n}") for n in range(SUBAGENTS_AT_ONCE)}

    problem = orders.no_room(SUBAGENT, {}, children, ("agent:main", "agent:sub:s-99"))
    children["agent:sub:s-0"].ended.set()
    then = orders.no_room(SUBAGENT, {}, children, ("agent:main", "agent:sub:s-99"))

    assert (problem is not None and problem.code, then) == ("no_room", None)


def test_in_all_counts_names_by_owner_so_one_that_goes_on_is_no_further_one() -> None:
    spawned = {f"{kind}:sub:s-{n}": "agent:main" for n in range(SUBAGENTS_IN_ALL) for kind in ("agent", "tools")}

    one_more = orders.no_room(SUBAGENT, spawned, {}, ("agent:main", "agent:sub:s-999"))

    assert one_more is not None
    assert one_more.code == "bad_request"
    assert orders.no_room(SUBAGENT, spawned, {}, ("agent:main", "agent:sub:s-1")) is None
    assert orders.no_room(SUBAGENT, spawned, {}, ("agent:746f", "agent:sub:t-1")) is None


def test_with_who_has_started_them_end_the_workers_that_the_gate_has_started_for_them() -> None:
    names = ("agent:main", "agent:sub:s-1", "tools:sub:s-1", "tools:sub:s-1~none", "agent:sub:s-11", "tools:main")
    children = {name: child(name) for name in names}

    ending = orders.spawned_by("agent:main", SPAWNED, children)

    assert [one.name for one in ending] == ["agent:sub:s-1", "tools:sub:s-1", "tools:sub:s-1~none"]

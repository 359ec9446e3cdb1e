"""The decisions about a child, without one."""

import pytest

from supervisor import child_spec
from supervisor.tree import front, session, started_at_once

TREE = session(front("ui.headless.prompt:run", terminal=False), main_agent=True)


@pytest.mark.parametrize(
    ("sender", "to"),
    [
        ("agent:main", "gate"),
        ("agent:t1", "store"),
        ("agent:main", "providers"),
        ("gate", "tools:main"),
        ("gate", "ui"),
        ("ui", "agent:t1"),
        ("agent:t1", "checkpoints"),
        ("ui", "checkpoints"),
        ("ui", "supervisor"),
        ("agent:main", "supervisor"),
        ("agent:main", "agent:sub:s-1"),
        ("agent:t1", "agent:sub:t1-1"),
        ("agent:sub:s-1", "gate"),
        ("ui", "agent:sub:s-1"),
        ("gate", "tools:sub:s-1"),
    ],
)
def test_these_ways_are_open(sender: str, to: str) -> None:
    assert child_spec.may_send(TREE, sender, to)


@pytest.mark.parametrize(
    ("sender", "to"),
    [
        ("agent:main", "tools:main"),
        ("agent:main", "agent:t1"),
        ("agent:sub:s-1", "supervisor"),
        ("agent:sub:s-1", "agent:sub:s-2"),
        ("agent:sub:s-1", "agent:main"),
        ("tools:main", "checkpoints"),
        ("checkpoints", "tools:main"),
        ("tools:main", "store"),
        ("tools:main", "gate"),
        ("providers", "tools:main"),
        ("providers", "agent:main"),
        ("nobody", "store"),
    ],
)
def test_these_ways_are_closed(sender: str, to: str) -> None:
    assert not child_spec.may_send(TREE, sender, to)


def test_a_session_starts_the_store_first_and_the_ui_after_the_agent() -> None:
    assert started_at_once(TREE) == ["store", "providers", "gate", "checkpoints", "agent:main", "ui", "tools:main"]

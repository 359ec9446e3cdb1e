"""Reading fault rules and choosing the one for a life."""

import pytest

from supervisor.process import chaos
from supervisor.process.chaos import BadChaos, Fault

TEXT = "providers:kill@message:3, store:hang@message:5,agent:kill@time:0.2,gate:crash@text:go on: x"


def test_rules_are_read() -> None:
    assert chaos.parse(TEXT) == (
        Fault("providers", "kill", "message", 3.0),
        Fault("store", "hang", "message", 5.0),
        Fault("agent", "kill", "time", 0.2),
        Fault("gate", "crash", "text", text="go on: x"),
    )


@pytest.mark.parametrize(
    "text", ["store", "store:kill", "store:explode@message:1", "store:kill@message:x", "a:kill@soon:1", "a:kill@text:"]
)
def test_a_rule_that_cannot_be_read_is_an_error_with_an_example(text: str) -> None:
    with pytest.raises(BadChaos, match="for example"):
        chaos.parse(text)


def test_each_life_takes_the_next_rule_that_fits() -> None:
    faults = chaos.parse("agent:kill@time:1,agent:main:hang@message:2")

    assert [chaos.fault_of(faults, "agent:main", life) for life in range(3)] == [faults[0], faults[1], None]
    assert chaos.fault_of(faults, "agent:t1", 1) is None

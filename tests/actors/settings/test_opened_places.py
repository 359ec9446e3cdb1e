"""Which places in a folder rules open."""

from pathlib import Path

import pytest

from actors.settings.opened_places import opened
from actors.settings.permissions import Permissions

TMP = Path("/tmp")


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ("Read(/tmp/data/**)", "/tmp/data"),
        ("Write(//tmp/data/)", "/tmp/data"),
        ("Bash(/tmp/data/**)", "/tmp/data"),
        ("Read(/tmp/a/*.log)", "/tmp/a"),
        ("Read(/tmp/a/../b.txt)", "/tmp/b.txt"),
    ],
)
def test_a_rule_opens_what_it_names_up_to_its_first_pattern(rule: str, place: str) -> None:
    assert opened(TMP, Permissions(allow=(rule,)).lines("f")) == (Path(place),)


@pytest.mark.parametrize(
    "rule",
    ["Read", "Read(/**)", "Read(/tmp/**)", "Read(/tmp/*/x)", "Read(tmp/x)", "Read(/tmp/../etc/x)", "Bash(/tmp/x y)"],
)
def test_a_rule_that_names_no_place_there_opens_none(rule: str) -> None:
    assert opened(TMP, Permissions(allow=(rule,)).lines("f")) == ()


def test_only_what_allows_opens() -> None:
    assert opened(TMP, Permissions(ask=("Read(/tmp/a)",), deny=("Read(/tmp/b)",)).lines("f")) == ()

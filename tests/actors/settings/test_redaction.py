"""What looks like a secret is left out of whatever is handed on, line for line, and nothing else is."""

import pytest

from actors.settings.redaction import MARK, redacted
from tests.planted_secrets import ALL


@pytest.mark.parametrize("kind", ALL)
def test_a_planted_secret_is_not_handed_on(kind: str) -> None:
    text, secret = ALL[kind]

    left = redacted(f"before\n{text}\nafter\n")

    assert secret in text
    assert [line for line in secret.split("\n") if line and line in left] == []
    assert MARK in left
    assert (left.count("\n"), left[:7], left[-7:]) == (text.count("\n") + 3, "before\n", "\nafter\n")
    assert redacted(left) == left

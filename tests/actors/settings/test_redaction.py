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


@pytest.mark.parametrize(
    "line",
    [
        "password = forms.CharField(",
        "def check(password: str, token=None):",
        "login(username=username, password=password)",
        "token = self.fields.get(name)",
        "secret: SecretStr,",
        "key = functools.partial(make_key, 12)",
        "export { apiKey, token as theToken };",
        "-----BEGIN PRIVATE KEY-----",
        "import os",
    ],
)
def test_in_a_program_a_name_is_no_secret(line: str) -> None:
    text = f"# -----BEGIN PRIVATE {'KEY'}-----\n{line}\nreboot\n# -----END PRIVATE {'KEY'}-----\n"

    assert redacted(text, in_code=True) == text


def test_in_a_program_what_stands_in_quotes_is_one() -> None:
    text = "connect('Server=db;Password=correcthorse;', token=token, key=\"correct1horse2battery3\")"

    assert redacted(text, in_code=True) == f"connect('Server=db;Password={MARK};', token=token, key=\"{MARK}\")"

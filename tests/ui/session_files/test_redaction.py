"""Secrets in what leaves as a transcript: found by looks and by names, and what is none stays."""

import pytest

from actors.settings.redaction import MARK, redacted
from ui.session_files.redaction import redacted_json

SECRETS = {
    "OPENAI_API_KEY=sk-proj-abcdefghijklmnop1234": f"OPENAI_API_KEY={MARK}",
    "the key sk-ant-api03-abcdefghijklmnop is mine": f"the key {MARK} is mine",
    "github_pat_11ABCDEFG0abcdefghijklmnop": MARK,
    "aws AKIAIOSFODNN7EXAMPLE": f"aws {MARK}",
    "AWS_SECRET_ACCESS_KEY=/wJalrXUtnFEMI1K7MDENG9bPxRfiCY": f"AWS_SECRET_ACCESS_KEY={MARK}",
    "password: hunter2": f"password: {MARK}",
    "password=correcthorse": f"password={MARK}",
    "password: correcthorse": f"password: {MARK}",
    'api_key = "abcdefgh"': f'api_key = "{MARK}"',
    r"{\"api_key\": \"abc12345\"}": rf"{{\"api_key\": \"{MARK}\"}}",
    "Authorization: Bearer abc123def456ghi789": f"Authorization: Bearer {MARK}",
    "x-api-key: abc123def456ghi789": f"x-api-key: {MARK}",
    "postgres://joe:hunter2@db.example/x": f"postgres://joe:{MARK}@db.example/x",
    "https://ghx1234567890abc@git.example/x": f"https://{MARK}@git.example/x",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N": MARK,
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc=\n-----END RSA PRIVATE KEY-----\nafter": (
        f"-----BEGIN RSA PRIVATE KEY-----{MARK}\n\n\n-----END RSA PRIVATE KEY-----\nafter"
    ),
    "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA\ncut": f"-----BEGIN PRIVATE KEY-----{MARK}\n\n",
}
NONE = [
    "the secret ingredient is patience",
    "token = get_token()",
    "token = self.token",
    "token: str",
    "max_tokens=4096",
    "tokens: 123456",
    "DB_PASSWORD=${PASS}",
    "secret = os.environ['X']",
    "password: Optional[str] = None",
    "git@github.com:owner/name",
    "authors: Jane Smith",
    "commit 967b2e9d8f0a1b2c3d4e5f60718293a4b5c6d7e8",
    "sk-learn is a library",
    'password: "{{ vault_password }}"',
    "secretary-general-of-the-united-nations",
    "tests/regress/nk-inheritance2.xml",
    "--token-file path",
]


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_is_left_out(text: str) -> None:
    assert redacted(text) == SECRETS[text]


@pytest.mark.parametrize("text", NONE)
def test_what_is_none_stays(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize("text", SECRETS)
def test_what_is_redacted_stays_as_it_is(text: str) -> None:
    assert redacted(SECRETS[text]) == SECRETS[text]


def test_in_arguments_the_name_tells() -> None:
    arguments = '{"password": "hunter2", "env": {"API_KEY": ["abcdefg"]}, "n": 3, "text": "password=abcdef1"}'

    assert redacted_json(arguments) == {
        "password": MARK,
        "env": {"API_KEY": [MARK]},
        "n": 3,
        "text": f"password={MARK}",
    }


def test_arguments_that_are_no_json_are_text() -> None:
    assert redacted_json('{"password": "hunter2"') == f'{{"password": "{MARK}"'

"""Which texts carry a secret, and which values count as one."""

import base64
import json
from pathlib import Path
from urllib.parse import quote

import pytest

from actors.providers.known_secrets import hidden
from actors.settings.secrets import values as known_values
from actors.settings.secrets.search import Secret, carried

VALUE = "ghp_Ab3dEf6hIj9kLmN0pQr2tUv4wXy6"
SECRET = Secret(VALUE, "GH_TOKEN")


@pytest.mark.parametrize(
    "sent",
    [
        VALUE,
        VALUE.lower(),
        VALUE[::-1],
        VALUE[4:22],
        ".".join(VALUE[at : at + 5] for at in range(0, len(VALUE), 5)),
        quote(quote("".join(f"%{ord(letter):02x}" for letter in VALUE))),
        VALUE.encode().hex(),
        "".join(f"\\u{ord(letter):04x}" for letter in VALUE),
        quote("".join(f"\\x{ord(letter):02X}" for letter in VALUE)),
        "".join(f"\\u{{{ord(letter):x}}}" for letter in VALUE),
        "".join(f"&#{ord(letter)};" for letter in VALUE),
        quote("".join(f"&#x{ord(letter):x};" for letter in VALUE)),
        "".join(chr(ord(letter) + 0xFEE0) for letter in VALUE),
        base64.b64encode(VALUE.encode()).decode(),
        base64.urlsafe_b64encode(b"x" + VALUE.encode() + b"yz").decode(),
        base64.b32encode(b"xy" + VALUE.encode()).decode(),
    ],
)
def test_a_secret_is_found_as_it_stands_in_part_and_encoded(sent: str) -> None:
    assert carried(f"https://x.example/?q={sent}&z=1", [SECRET]) == "GH_TOKEN"


@pytest.mark.parametrize(
    "sent", ["", "ghp_", VALUE[:12], "https://docs.python.org/3/library/secrets.html", r"\u{ffffff}\ud800\x4"]
)
def test_what_only_resembles_it_is_not(sent: str) -> None:
    assert carried(sent, [SECRET, Secret("short", "PIN"), Secret("", "EMPTY")]) == ""


def test_variables_count_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "t").touch()
    variables = {
        "OPENAI_API_KEY": VALUE,
        "DB_PASSWORD": "correcthorse",
        "TOKEN_FILE": str(tmp_path / "t"),
        "OAUTH_TOKEN_URL": "https://login.example.com/oauth2/token",
        "MONKEY": "banana-banana",
        "KEYBOARD_LAYOUT": "us-international",
        "PWD": "/work/somewhere",
        "SECRET_PIN": "123",
        "GIT_AUTHOR_NAME": "Somebody Else",
        "SSH_AUTH_SOCK": "agent.1234567",
        "LANG": "en_US.UTF-8",
    }

    assert [secret.source for secret in known_values.of_environment(variables)] == ["OPENAI_API_KEY", "DB_PASSWORD"]


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("DATABASE_URL", "postgres://u:hunter2hunter2@db/x", "hunter2hunter2"),
        ("HTTPS_PROXY", "user:hunter2hunter2@proxy:3128", "hunter2hunter2"),
        ("ALL_PROXY", "http://user:hunter2/hunter2@proxy:3128", "hunter2/hunter2"),
        (
            "SENTRY_DSN",
            "https://0123456789abcdef0123456789abcdef@o1.ingest.example/2",
            "0123456789abcdef0123456789abcdef",
        ),
        ("PG_DSN", "host=db password=hunter2hunter2 user=me", "hunter2hunter2"),
        ("GITHUB_PAT", VALUE, VALUE),
        ("OPENAI_KEY", "sk-proj-abcdefghij", "sk-proj-abcdefghij"),
        ("MYSQL_PWD", "hunter2hunter2", "hunter2hunter2"),
        ("MY_SECRET", "https://hooks.example.com/services/T000/B000/XXXXYYYYZZZZ1234", "XXXXYYYYZZZZ1234"),
        ("MY_SECRET", "/base64startingwithslash0123456789==", "/base64startingwithslash0123456789=="),
        ("SECRET_KEY", "~abcdefgh0123456789", "~abcdefgh0123456789"),
        ("MY_SECRET", "Aa1!Aa2#", "Aa1!Aa2#"),
    ],
)
def test_a_secret_of_the_environment_is_found_by_a_name_or_by_what_it_looks_like(
    name: str, value: str, secret: str
) -> None:
    known = list(known_values.of_environment({name: value}))

    assert Secret(secret, name) in known
    assert carried(f"https://x.example/?k={secret}", known) == name
    assert carried(f"https://x.example/?k={quote(secret)}", known) == name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EMAIL", "firstname.lastname@example.com"),
        ("GIT_URL", "ssh://git@git.example.com:2222/a@b"),
        ("PATH", "/usr/bin:/opt/python@3.11/bin"),
        ("GITHUB_SHA", "3f31e161defedaa09ee90f99c408f14ae5dcd6fe"),
        ("REGISTRY", "https://npm.example.com:8080/@scope/name"),
    ],
)
def test_what_anybody_may_know_of_the_environment_is_no_secret(name: str, value: str) -> None:
    assert list(known_values.of_environment({name: value})) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("machine a.example login me password hunter2hunter2", {"hunter2hunter2"}),
        (f"//registry.npmjs.org/:_authToken={VALUE}", {VALUE}),
        ("https://me:swordfish9@git.example/x.git", {"swordfish9"}),
        (f'{{"oauth": "{VALUE}", "model": "claude-3-5-sonnet-20241022"}}', {VALUE}),
        ("registry=https://registry.npmjs.org/\nregion = us-east-1\n", set()),
    ],
)
def test_of_a_file_counts_what_looks_like_a_secret(tmp_path: Path, text: str, values: set[str]) -> None:
    file = tmp_path / "file"
    file.write_text(text)

    assert {secret.value for secret in known_values.of_files([file])} == values


def test_folders_give_the_files_that_lie_in_them_and_what_is_no_file_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "key").write_text(VALUE)
    (tmp_path / "key").write_text(f"token = {VALUE}")

    found = list(known_values.of_files([tmp_path, tmp_path / "missing"]))

    assert found == [Secret(VALUE, str(tmp_path / "key"))]


def test_what_trouper_signs_in_with_is_known(tmp_path: Path) -> None:
    (tmp_path / "mcp-sign-ins").mkdir()
    tokens = json.dumps({"access_token": VALUE, "token_type": "Bearer"})
    (tmp_path / "mcp-sign-ins" / "a.json").write_text(json.dumps({"url": "https://h.example/mcp", "tokens": tokens}))
    (tmp_path / "auth.json").write_text(json.dumps({"b": {"access": VALUE[::-1]}}))

    values = {secret.value for secret in known_values.of_files(known_values.own(tmp_path))}

    assert {VALUE, VALUE[::-1]} <= values


def test_what_rules_hide_is_found_below_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / ".env").write_text(VALUE)

    assert hidden(tmp_path, ("**/.env",)) == [tmp_path / "deep" / ".env"]

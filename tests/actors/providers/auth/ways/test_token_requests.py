"""What the services one signs in at answer: quoted without secrets, and never more of it than is read."""

import base64
import gzip

import msgspec
import pytest

from actors.errors import Failed
from actors.providers.auth.ways.codex import Claims, claims
from actors.providers.auth.ways.token_requests import LONGEST, Reply, error_code
from tests.actors.providers.auth.signing import open_web
from tests.fakes.odd_server import open_odd_server
from tests.fakes.sign_in_server import open_sign_in_server, refused

TOKEN = "rt_Abc-secret.value"
DEEP = b'{"error":' + b"[" * 200_000


class _Anything(msgspec.Struct):
    token: str


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"Invalid refresh token {TOKEN} for account", "Invalid refresh token … for account"),
        ("Invalid refresh token rt_Abc123-secret.value for account", "Invalid refresh token … for account"),
        ("The grant refresh_token has expired", "The grant refresh_token has expired"),
    ],
    ids=["the one that was sent", "one that looks like it", "what is no secret"],
)
async def test_a_refusal_is_quoted_without_tokens(said: str, shown: str) -> None:
    async with open_sign_in_server() as server, open_web() as web:
        server.faults = [refused(400, "invalid_request", said)]
        form = {"grant_type": "refresh_token", "refresh_token": TOKEN}
        reply = await web.post(f"{server.url}/oauth/token", form=form)

    assert reply.failed("sign you in").problem.text == f"127.0.0.1 refused to sign you in: HTTP 400, {shown}."


@pytest.mark.parametrize(
    ("content", "headers"),
    [(b" " * (LONGEST + 1), {}), (gzip.compress(b" " * 100 * LONGEST), {"content-encoding": "gzip"})],
    ids=["plain", "compressed"],
)
async def test_what_is_far_too_long_is_not_read(content: bytes, headers: dict[str, str]) -> None:
    failures = []
    async with open_odd_server(content, headers) as url, open_web() as web:
        try:
            await web.get(url, {})
        except Failed as failure:
            failures.append(failure.problem)

    assert [problem.code for problem in failures] == ["bad_stream"]
    assert "far more" in failures[0].text


def test_nesting_without_end_is_nothing_that_was_said() -> None:
    reply = Reply("host.example", 400, DEEP)

    assert error_code(DEEP) == ""
    assert reply.failed("sign you in").problem.text == "host.example refused to sign you in: HTTP 400."
    with pytest.raises(Failed, match="something unexpected"):
        reply.read(_Anything)
    payload = base64.urlsafe_b64encode(b'{"email":"x","more":' + b"[" * 200_000).decode()
    assert claims(f"a.{payload}.b") == Claims()

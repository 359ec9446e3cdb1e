"""Proxies of the environment: which counts for what, how it is asked, and those that cannot be used."""

import base64
import sys
from types import ModuleType

import msgspec
import pytest
from trio.testing import MockClock

from actors.messages.base import ProblemCode
from actors.providers.faults.fault import ServiceFailed
from actors.providers.http import proxies
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.talking import HELLO, SETTINGS, agent_beside, problem_in, told, whole
from tests.fakes.model_server import open_model_server

NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
AWAY = "http://model.invalid/v1"
CHOSEN = msgspec.structs.replace(SETTINGS, model="local/test-model")


@pytest.fixture(autouse=True)
def _none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("variables", "url", "expected"),
    [
        ({}, "https://a.example/v1", ""),
        ({"HTTPS_PROXY": "http://p:3128"}, "https://a.example/v1", "http://p:3128"),
        ({"HTTPS_PROXY": "http://p:3128"}, "http://a.example/v1", ""),
        ({"all_proxy": "p:3128"}, "http://a.example/v1", "http://p:3128"),
        ({"ALL_PROXY": "socks5://p:1080"}, "https://a.example/v1", "socks5://p:1080"),
        ({"https_proxy": "http://p:1", "all_proxy": "http://q:2"}, "https://a.example/v1", "http://p:1"),
        ({"https_proxy": "http://p:1", "no_proxy": "a.example"}, "https://a.example/v1", ""),
        ({"https_proxy": "http://p:1", "no_proxy": ".example"}, "https://me:x@a.example:8443/v1", ""),
        ({"https_proxy": "http://p:1", "no_proxy": "b.example, *"}, "https://a.example/v1", "http://p:1"),
        ({"https_proxy": "http://p:1", "no_proxy": "*"}, "https://a.example/v1", ""),
        ({"https_proxy": "http://p:1"}, "https://127.0.0.1:8443/v1", ""),
        ({"https_proxy": ""}, "https://a.example/v1", ""),
    ],
)
def test_which_counts(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], url: str, expected: str) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert proxies.url_of(url) == expected


async def test_a_proxy_is_asked_with_the_name_and_password_of_its_address(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_model_server(HELLO) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("://", "://me:p%40ss@"))
        provider = ProviderSettings("openai-chat", AWAY, allow_http=True)
        async with agent_beside(mock_clock, Registry({"local": provider}, {}, built_in=()), CHOSEN) as agent:
            heard = await told(agent)

    assert heard[-1] == whole("openai-chat")
    assert proxy.requests[0].headers["proxy-authorization"] == f"Basic {base64.b64encode(b'me:p@ss').decode()}"
    assert proxy.requests[0].headers["host"] == "model.invalid"


@pytest.mark.parametrize("named", ["socks5://p:1080", "http://", "http://p:port", "ftp://p:21", "http://bü:1"])
async def test_one_that_cannot_be_used_is_named(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", named)
    provider = ProviderSettings("openai-chat", AWAY, allow_http=True)
    async with agent_beside(mock_clock, Registry({"local": provider}, {}, built_in=()), CHOSEN) as agent:
        problem = problem_in(await told(agent))

    expected: ProblemCode = "bad_configuration"
    assert problem.code == expected
    assert "proxy" in problem.text
    assert problem.hint


def test_a_proxy_may_speak_https_and_socks_where_its_package_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert proxies.proxy("https://p:3128").ssl_context is not None
    with pytest.raises(ServiceFailed, match="socksio"):
        proxies.proxy("socks5h://p:1080")
    monkeypatch.setitem(sys.modules, "socksio", ModuleType("socksio"))

    assert proxies.proxy("socks5h://me:x@p:1080").auth == (b"me", b"x")

"""Which addresses are believed in a sign-in."""

import pytest
from mcp.client.auth import OAuthFlowError

from actors.mcp.sign_in.addresses import check

FAR = "https://far.example/mcp"
HERE = "http://127.0.0.1:80/mcp"


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("https://other.example/token", FAR),
        ("https://10.0.0.1/token", FAR),
        ("http://localhost:81/token", HERE),
        ("http://[::1]/token", HERE),
        ("https://far.example/token", HERE),
        ("http://lan.example/token", "http://lan.example:8080/mcp"),
    ],
)
def test_what_is_safe_is_believed(url: str, server: str) -> None:
    assert check(url, server) is None  # type: ignore[func-returns-value]  # it raises nothing


@pytest.mark.parametrize(
    ("url", "server", "why"),
    [
        ("http://other.example/token", FAR, "other.example is not over https"),
        ("http://far.example/token", FAR, "not over https"),
        ("http://127.0.0.1:8080/", FAR, "127.0.0.1 is not over https"),
        ("http://169.254.169.254/latest", HERE, "not over https"),
        ("http://other.example/", "http://lan.example/mcp", "not over https"),
        ("http://127.0.0.1.far.example/", HERE, "not over https"),
        ("https://user:word@far.example/", FAR, "none of the web"),
        ("file:///etc/passwd", FAR, "none of the web"),
        ("javascript:alert(1)", FAR, "none of the web"),
        ("https:///token", FAR, "none of the web"),
        ("https://[far/", FAR, "is none"),
        ("https://far.example:a/", FAR, "is none"),
    ],
)
def test_what_is_not_is_refused(url: str, server: str, why: str) -> None:
    with pytest.raises(OAuthFlowError, match=why):
        check(url, server)

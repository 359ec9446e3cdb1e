"""`web_fetch`: what may be asked for; `exchange` asks and `fetch_outcome` says what came. Loads no HTTP library."""

import re
from typing import Annotated

import msgspec

from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.web.urls import Method, parse

MOST_HEADERS = 16
LONGEST_VALUE = 1024
NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")
VALUE = re.compile(r"[\t\x20-\x7e]*")
SENSITIVE = re.compile(
    r"auth|cookie|token|secret|passw|credential|session|api-?key|access-?key|private|signature|"
    r"^(host|connection|upgrade|te|trailer|expect|content-.*|transfer-encoding|accept-encoding|keep-alive|via|"
    r"forwarded|metadata.*|proxy-.*|x-(forwarded|real|original|rewrite|http-method|aws|google|ms|goog|amz)-?.*)$",
    re.IGNORECASE,
)
"""Headers that say who asks, or that change what is asked."""


class WebFetch(Arguments, frozen=True):
    url: Annotated[str, msgspec.Meta(description="http:// or https://, on the public web.")]
    max_chars: Annotated[
        int, msgspec.Meta(ge=100, le=limits.WEB_CHARS_MAX, description="How much of the text you get.")
    ] = limits.WEB_CHARS
    raw: Annotated[bool, msgspec.Meta(description="The source of an HTML page instead of Markdown.")] = False
    method: Method = "GET"
    headers: Annotated[dict[str, str], msgspec.Meta(description="More request headers; no credentials.")] = (
        msgspec.field(default_factory=dict)
    )


async def run(arguments: WebFetch, _worker: Worker, _report: Report) -> Outcome:
    from actors.tools.web.fetch_outcome import Wanted, outcome
    from actors.tools.web.network import Network

    wanted = Wanted(
        parse(arguments.url), arguments.method, _checked(arguments.headers), arguments.max_chars, arguments.raw
    )
    return await outcome(wanted, Network())


def preview(arguments: WebFetch, _workspace: object) -> Preview:
    url = parse(arguments.url)
    detail = "".join(f"{name}: {value}\n" for name, value in _checked(arguments.headers).items())
    return Preview(title=f"{arguments.method} {url}", detail=detail)


def _checked(headers: dict[str, str]) -> dict[str, str]:
    """By name in lower case. Raises ToolFailed."""
    if len(headers) > MOST_HEADERS:
        raise ToolFailed(f"No more than {MOST_HEADERS} headers can be sent.")
    for name, value in headers.items():
        if not NAME.fullmatch(name) or not VALUE.fullmatch(value) or len(value) > LONGEST_VALUE:
            raise ToolFailed(f"The header {name!r} cannot be sent: headers are short lines of plain ASCII text.")
        if SENSITIVE.search(name):
            raise ToolFailed(f"The header {name} is not sent: web_fetch carries no credentials. Leave it out.")
    return {name.lower(): value for name, value in headers.items()}


WEB_FETCH = Tool(
    "web_fetch",
    "network",
    WebFetch,
    run,
    preview,
    touches=(Touch(scope="web", argument="url"),),
    runs_in="web",
)

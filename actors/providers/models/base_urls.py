"""A wrong base_url that can be put right: it has too much at its end, or lacks what its service wants there."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from actors.messages.model import Api
from actors.providers.endpoint import Endpoint, without_secrets
from actors.providers.faults.fault import ADDRESS

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client

ENDS = ("/chat/completions", "/completions", "/responses", "/messages", "/models", "/v1")
"""What is added to a base_url, and is there twice when the user has written it already."""
ABSENT = (404, 405, 501)
"""HTTP's words for: nothing answers at this path."""
ASK_S = 1.0


async def right_one(endpoint: Endpoint, client: "Client") -> str:
    """The next step where nothing answers at its path: the address that lists models; "" when none does.

    endpoint: with its key. All that is asked is at its own host.
    """
    from actors.providers.models import local_servers

    for address in others(endpoint.api, endpoint.base_url):
        there = replace(endpoint, base_url=address)
        if (await local_servers.listed(there, client, ASK_S)).models:
            return f"Models are listed at {without_secrets(address)}: set {ADDRESS} to that."
    return ""


def others(api: Api, base_url: str) -> list[str]:
    """What else may be meant, the likeliest first."""
    short = base_url
    while end := next((end for end in ENDS if short.endswith(end)), ""):
        short = short.removesuffix(end)
    meant = [short] if api == "anthropic-messages" else [f"{short}/v1", short]
    return [address for address in meant if address != base_url]

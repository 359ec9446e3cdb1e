"""Is a model's service there, and does it have the model? It is asked for its list, which costs nothing."""

from typing import TYPE_CHECKING

import msgspec

from actors.messages.model import ServiceSaid
from actors.providers import addresses, choosing, faults
from actors.providers.choosing import LIST_S, Signed
from actors.providers.endpoint import Target

if TYPE_CHECKING:
    from actors.providers.exchange import Client


async def said(target: Target, client: "Client", signed: Signed) -> ServiceSaid:
    """Raises Failed when it cannot be signed in."""
    from actors.providers import local

    endpoint = await signed(target.endpoint)
    offer = await local.listed(endpoint, client, LIST_S)
    if offer.names:
        has_it = choosing.is_offered(target.name, offer.models)
        count = f"{len(offer.models)} model{'s' if len(offer.models) > 1 else ''}"
        text = f"{target.endpoint.shown_url} lists {count}{'' if has_it else ', and not this one'}"
        hint = "" if has_it else choosing.nearest(target, offer.names)
        return ServiceSaid(state="ok" if has_it else "note", text=text, hint=hint)
    fault = offer.fault or choosing.NO_CHAT
    right = await addresses.right_one(endpoint, client) if fault.status in addresses.ABSENT else ""
    problem = faults.problem(msgspec.structs.replace(fault, hint=right or fault.hint), target.endpoint)
    is_there = not right and _is_there(fault.status)
    return ServiceSaid(state="note" if is_there else "problem", text=problem.text, hint=problem.hint)


def _is_there(status: int) -> bool:
    """Whoever refuses the list may answer questions all the same; not whom the key is unknown to."""
    refuses = 400 <= status < 500 and status != choosing.REFUSED
    return refuses or status in (*addresses.ABSENT, choosing.LISTS_NOTHING, choosing.LOADING)

"""Is a model's service there, and does it have the model? It is asked for its list, which costs nothing."""

from typing import TYPE_CHECKING, Literal

import msgspec

from actors.messages.model import ServiceSaid
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults import fault
from actors.providers.models import base_urls, choice
from actors.providers.models.choice import LIST_S, Signed

if TYPE_CHECKING:
    from actors.providers.http.exchange import Client


async def said(target: Target, client: "Client", signed: Signed) -> ServiceSaid:
    """Raises Failed when it cannot be signed in."""
    from actors.providers.models import local_servers

    endpoint = await signed(target.endpoint)
    offer = await local_servers.listed(endpoint, client, LIST_S)
    if offer.names:
        has_it = choice.is_offered(target.name, offer.models)
        count = f"{len(offer.models)} model{'s' if len(offer.models) > 1 else ''}"
        text = f"{target.endpoint.shown_url} lists {count}{'' if has_it else ', and not this one'}"
        hint = "" if has_it else choice.nearest(target, offer.names)
        return ServiceSaid(state="ok" if has_it else "note", text=text, hint=hint)
    why = offer.fault or choice.NO_CHAT
    right = await base_urls.right_one(endpoint, client) if why.status in base_urls.ABSENT else ""
    problem = fault.problem(msgspec.structs.replace(why, hint=right or why.hint), target.endpoint)
    is_there = not right and _is_there(why.status)
    return ServiceSaid(state="note" if is_there else "problem", text=problem.text, hint=problem.hint)


async def reached(endpoint: Endpoint, client: "Client", signed: Signed) -> ServiceSaid:
    """The same of a service, whatever models it has. Raises Failed when it cannot be signed in."""
    from actors.providers.models import local_servers

    endpoint = await signed(endpoint)
    offer = await local_servers.listed(endpoint, client, LIST_S)
    if offer.fault is None:
        return ServiceSaid(state="ok", text=f"{endpoint.shown_url} answers")
    problem = fault.problem(offer.fault, endpoint)
    state: Literal["note", "problem"] = "note" if _is_there(offer.fault.status) else "problem"
    return ServiceSaid(state=state, text=problem.text, hint=problem.hint)


def _is_there(status: int) -> bool:
    """Whoever refuses the list may answer questions all the same; not whom the key is unknown to."""
    refuses = 400 <= status < 500 and status != choice.REFUSED
    return refuses or status in (*base_urls.ABSENT, choice.LISTS_NOTHING, choice.LOADING)

"""The choice of a first start: what the user takes is carried out, and asked about again until a model answers."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import get_args

from actors.errors import Failed
from actors.messages.auth import Program
from actors.settings import sign_ins
from actors.settings.config import Settings
from ui.screen.first_start.access import Access
from ui.screen.first_start.offers import PLANS, Offer, takers_of_keys
from ui.screen.first_start.ports import Ports
from ui.screen.questions.choice_list import choose

TITLE = "There is no model yet. How do you want to begin?"
LATER = "there is no model yet: your next prompt asks again, /model PROVIDER/NAME takes one, trouper auth keeps keys"
DEMO = "the demo needs no model: leave with /exit, then start it with: trouper demo"


class Guide:
    def __init__(self, ports: Ports, settings: Settings, unused: Callable[[str], None]) -> None:
        """unused: gets what was typed before it was seen that there is a choice."""
        self._ports, self._unused = ports, unused
        self._access = Access(ports, Path(settings.home))

    async def run(self) -> str:
        """PROVIDER/NAME of who answers from now on; "" when the user leaves it at that, and is told how to go on."""
        marked = 0
        while True:
            try:
                offers = await self._access.offers()
                at = await self._choose(offers, marked)
                if at is None or offers[at].way == "demo":
                    self._ports.say(LATER if at is None else DEMO, "info")
                    return ""
                marked = at
                if model := await self._took(offers[at]):
                    self._ports.say(f"{model} answers from now on; /model takes another one", "info")
                    return model
            except Failed as failure:
                self._ports.say(str(failure), "error")
                if failure.problem.code == "gone":
                    return ""

    async def _took(self, offer: Offer) -> str:
        """The model, or "": to be asked again. Raises Failed."""
        access = self._access
        match offer.way:
            case "server":
                return await access.take(offer.name)
            case "provider":
                return await access.model_of(offer.name)
            case "program":
                program = next(one for one in get_args(Program) if one == offer.name)
                provider = await access.take_over(program)
                return await access.model_of(provider) if provider else ""
            case "sign in":
                provider = await self._which("Sign in to which?", [(name, PLANS[name]) for name in sign_ins.ALL])
                return await access.model_of(provider) if provider and await access.sign_in(provider) else ""
            case "key":
                takers = takers_of_keys(await access.credentials())
                provider = await self._which("Whose key is it?", [(name, "") for name in takers])
                return await access.model_of(provider) if provider and await access.paste_key(provider) else ""
            case _:
                return ""

    async def _choose(self, offers: Sequence[Offer], marked: int) -> int | None:
        rows = [offer.row for offer in offers]
        return await choose(self._ports.ask, TITLE, rows, min(marked, len(offers) - 1), self._unused)

    async def _which(self, title: str, rows: Sequence[tuple[str, str]]) -> str:
        """The first word of one of these; "" for none."""
        at = await choose(self._ports.ask, title, rows)
        return "" if at is None else rows[at][0]

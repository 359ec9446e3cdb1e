"""Another model in the middle of a session: what the commands for it ask and say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.model import ListedModel, ListModels, Models, ResolvedModel, ResolveModel
from actors.messages.turn import ModelIs, SetModel
from ui.common import harmless
from ui.common.model_change import from_now_on
from ui.screen.questions.choice_list import Ask, choose


@dataclass(frozen=True)
class ModelSwitch:
    mailbox: Mailbox
    agent: str
    say: Callable[[str, str], None]
    """text, level."""
    shown: Callable[[], bool]
    """The transcript itself says who answers from now on."""
    ask: Ask
    current: Callable[[], str]
    """PROVIDER/NAME of who answers now."""

    async def set(self, model: str, effort: str | None) -> None:
        try:
            now = await self.mailbox.insist(self.agent, SetModel(model=model, effort=effort), ModelIs)
        except Failed as failure:
            self.say(str(failure), "error")
            return
        if not self.shown():
            self.say(from_now_on(now.model, now.effort), "info")
        if now.left_out:
            self.say(f"{now.model} does not take {', '.join(now.left_out)}: it is told so instead", "warning")

    async def offer(self, wanted: str) -> None:
        """What can be had now; when only one has these words in its name, it is taken."""
        try:
            listed = await self.mailbox.insist("providers", ListModels(filter=wanted), Models)
        except Failed as failure:
            self.say(str(failure), "error")
            return
        usable = [one for one in listed.models if one.usable]
        if wanted and len(usable) == 1:
            await self.set(usable[0].model, None)
            return
        if not usable:
            self.say(_nothing(wanted, listed), "warning")
            return
        rows = [(harmless.one_line(one.model), *_facts(one, self.current())) for one in usable]
        marked = next((at for at, one in enumerate(usable) if one.model == self.current()), 0)
        chosen = await choose(self.ask, "Who answers from now on?", rows, marked)
        if chosen is not None:
            await self.set(usable[chosen].model, await self._effort(usable[chosen]))

    async def _effort(self, one: ListedModel) -> str | None:
        """Asked where there is a choice; None: the one there is."""
        levels = one.facts.choices if one.facts.id or one.facts.efforts else ()
        return None if len(levels) < 2 else await self._level(one.model, levels)

    async def _level(self, model: str, levels: Sequence[str]) -> str | None:
        """ "" for the default."""
        title = f"How hard is {harmless.one_line(model)} to think?"
        chosen = await choose(self.ask, title, [("default", "as its service has it"), *((one, "") for one in levels)])
        return None if chosen is None else ("", *levels)[chosen]

    async def resolved(self, model: str, effort: str) -> str:
        """Who would answer; "" when that cannot be known, which the user is told."""
        try:
            return (
                await self.mailbox.insist("providers", ResolveModel(model=model, effort=effort), ResolvedModel)
            ).model
        except Failed as failure:
            self.say(str(failure), "error")
            return ""

    async def offer_efforts(self, model: str) -> None:
        try:
            facts = (await self.mailbox.insist("providers", ResolveModel(model=model), ResolvedModel)).facts
        except Failed as failure:
            self.say(str(failure), "error")
            return
        levels = facts.choices if facts.id or facts.efforts else ()
        if not levels:
            self.say(f"what {model} knows, only its service can say: /effort LEVEL tries one", "info")
        elif (level := await self._level(model, levels)) is not None:
            await self.set("", level)


def _nothing(wanted: str, listed: Models) -> str:
    if listed.models:
        first = listed.models[0]
        return f"{harmless.one_line(first.model)} cannot be used now: {harmless.one_line(first.why_not)}"
    near = f" Near to it: {', '.join(listed.nearest)}." if listed.nearest else ""
    return f'no model has "{wanted}" in its name.{near}' if wanted else "there is no model to choose from"


def _facts(one: ListedModel, current: str) -> tuple[str, ...]:
    """Context, dollars a million tokens in and out, levels of effort."""
    facts = one.facts
    context = f"{facts.context // 1000}k" if facts.context else ""
    price = f"${facts.prices[0].input:g}/${facts.prices[0].output:g}" if facts.prices else ""
    return context, price, "/".join(facts.levels), "now" if one.model == current else ""

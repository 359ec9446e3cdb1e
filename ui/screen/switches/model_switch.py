"""Another model in the middle of a session: what the commands for it ask and say."""

from collections.abc import Callable
from dataclasses import dataclass

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.model import ListedModel, ListModels, Models, ResolvedModel, ResolveModel
from actors.messages.turn import ModelIs, SetModel
from ui.common import harmless
from ui.common.model_change import from_now_on

SHOWN = 20
"""Models in a list; more are named by their number."""


@dataclass(frozen=True)
class ModelSwitch:
    mailbox: Mailbox
    agent: str
    say: Callable[[str, str], None]
    """text, level."""
    shown: Callable[[], bool]
    """The transcript itself says who answers from now on."""

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
        self.say(*offer(wanted, listed))

    async def resolved(self, model: str, effort: str) -> str:
        """Who would answer; "" when that cannot be known, which the user is told."""
        try:
            return (
                await self.mailbox.insist("providers", ResolveModel(model=model, effort=effort), ResolvedModel)
            ).model
        except Failed as failure:
            self.say(str(failure), "error")
            return ""

    async def efforts(self, model: str) -> None:
        try:
            facts = (await self.mailbox.insist("providers", ResolveModel(model=model), ResolvedModel)).facts
        except Failed as failure:
            self.say(str(failure), "error")
            return
        known = ", ".join(facts.choices) if facts.id or facts.efforts else ""
        self.say(f"{model} knows: {known}" if known else f"what {model} knows, only its service can say", "info")


def offer(wanted: str, listed: Models) -> tuple[str, str]:
    """The list, and its level."""
    usable = [one for one in listed.models if one.usable]
    if not usable:
        return _nothing(wanted, listed), "warning"
    widest = max(len(one.model) for one in usable[:SHOWN])
    rows = [f"{one.model:<{widest}}  {_facts(one)}".rstrip() for one in usable[:SHOWN]]
    more = f"\n{len(usable) - SHOWN} more: /model WORD lists those with it in their name" * (len(usable) > SHOWN)
    return "\n".join(rows) + more + "\n/model PROVIDER/NAME [EFFORT] takes one", "info"


def _nothing(wanted: str, listed: Models) -> str:
    if listed.models:
        first = listed.models[0]
        return f"{harmless.one_line(first.model)} cannot be used now: {harmless.one_line(first.why_not)}"
    near = f" Near to it: {', '.join(listed.nearest)}." if listed.nearest else ""
    return f'no model has "{wanted}" in its name.{near}' if wanted else "there is no model to choose from"


def _facts(one: ListedModel) -> str:
    facts = one.facts
    context = f"{facts.context // 1000}k" if facts.context else ""
    return "  ".join(filter(None, [context, "/".join(facts.levels)]))

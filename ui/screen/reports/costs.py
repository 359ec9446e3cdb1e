"""/cost: what the session has used, by model, with the share that was cached; and its subagents."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from actors.common.budget import used_by
from actors.common.plurals import how_many
from actors.mailbox import Mailbox
from actors.messages.conversation import AssistantMessage, Entry
from actors.messages.store import ReadSession
from actors.messages.subagent import SubagentEnded
from actors.messages.usage import NOTHING_USED, Usage
from ui.common import harmless
from ui.common.amounts import price, thousands
from ui.screen.questions.choice_list import in_columns
from ui.screen.sessions.stored import read as stored

ASIDE = "beside the conversation"
"""Names, summaries, tries that broke off."""
SUBAGENTS = "subagents that have ended"


@dataclass
class Costs:
    by_what: dict[str, Usage] = field(default_factory=dict)
    """By PROVIDER/NAME of who answered, and for the rest in words."""
    answers: int = 0

    def add(self, entry: Entry) -> None:
        body = entry.body
        used = used_by(body)
        if used is NOTHING_USED:
            return
        what = ASIDE
        if isinstance(body, AssistantMessage):
            what, self.answers = body.model, self.answers + 1
        elif isinstance(body, SubagentEnded):
            what = SUBAGENTS
        self.by_what[what] = self.by_what.get(what, NOTHING_USED) + used


async def read(mailbox: Mailbox, session_id: str) -> Costs:
    """Of the whole tree: what was gone back from was billed, too. Raises Failed."""
    costs = Costs()
    for entry in await stored(mailbox, ReadSession(session_id=session_id, whole_tree=True), Entry):
        costs.add(entry)
    return costs


def in_words(costs: Costs) -> str:
    if not costs.by_what:
        return "nothing was used in this session yet"
    total = NOTHING_USED
    for used in costs.by_what.values():
        total += used
    rows = [("this session", total), *(costs.by_what.items() if len(costs.by_what) > 1 else [])]
    lines = in_columns([(harmless.one_line(what), *_facts(used)) for what, used in rows])
    model = [f"all of it by {harmless.one_line(what)}" for what in costs.by_what if len(costs.by_what) == 1]
    return "\n".join([*lines, *model, f"{how_many(costs.answers, 'answer')}; /budget shows and raises the limit"])


def _facts(used: Usage) -> Iterator[str]:
    yield price(used.known_cost_usd) if used.known_cost_usd is not None else "cost unknown"
    cached = f" ({used.cache_read_tokens * 100 // used.input_tokens} % cached)" if used.input_tokens else ""
    yield f"{thousands(used.input_tokens)} tok in{cached}"
    yield f"{thousands(used.output_tokens)} out"

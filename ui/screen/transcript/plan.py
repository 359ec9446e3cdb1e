"""A plan that the user has approved: it stays in the scrollback, as the question that showed it goes. Pure."""

from dataclasses import dataclass

import msgspec

from actors.messages.conversation import ToolCall
from ui.common import harmless
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import prose
from ui.screen.transcript.markdown import CodeLine, MarkdownStream

TOOL = "present_plan"


class _Arguments(msgspec.Struct, frozen=True):
    plan: str


@dataclass(frozen=True)
class PlanApproved:
    text: str

    def rows(self, width: int, theme: Theme) -> list[str]:
        stream = MarkdownStream()
        rows = [""]
        for chunk in (*stream.feed(harmless.sanitise(self.text)), *stream.finish()):
            spans = [list(chunk.spans)] if isinstance(chunk, CodeLine) else prose.rows(chunk.source, width)
            rows += [*([""] if chunk.gap else []), *(theme.row(row) for row in spans)]
        return rows


def presented(call: ToolCall) -> str:
    """ "" where the call presents none."""
    if call.name != TOOL:
        return ""
    try:
        return msgspec.json.decode(call.arguments, type=_Arguments).plan
    except (msgspec.DecodeError, RecursionError):
        return ""

"""What the benchmark's model says: a Plan is the prompt itself, as JSON; `formats` turns it into answers. Pure."""

from collections.abc import Iterator

import msgspec

LAST_WORD = "Zyzzyva"
"""Ends a markdown answer."""
TOKEN = 4
"""Characters."""
STAMP = "0000000.000000"
"""Stands in a stamped delta for when it is sent: seconds on the monotonic clock."""


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    tool: str
    arguments: dict[str, str | int] = {}
    """`#` in a text stands for the number of the round, and of the call in its answer where it has several."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    calls: tuple[Call, ...] = ()
    """One for each round, in turn."""
    rounds: int = 0
    """Answers that call a tool, before the last one, which does not."""
    at_once: int = 1
    """Calls in each of them."""
    hold_s: float = 0.0
    """Before each answer."""
    hold_last_s: float = 0.0
    per_s: float = 0.0
    """Deltas a second of the last answer; 0: all at once."""
    deltas: int = 1
    stamped: bool = False
    """Each delta says when it was sent."""
    hold_end_s: float = 0.0
    """Between the deltas of the last answer and its end."""
    markdown: int = 0
    """Characters of the last answer."""

    @property
    def prompt(self) -> str:
        return msgspec.json.encode(self).decode()


def texts(plan: Plan) -> Iterator[str]:
    """The last answer, delta by delta."""
    if plan.markdown:
        text = markdown(plan.markdown)
        yield from (text[at : at + TOKEN] for at in range(0, len(text), TOKEN))
    else:
        yield from [f"{STAMP} " if plan.stamped else "Done. "] * plan.deltas


PROSE = (
    "The **router** reads the envelope and forwards the body as bytes, so that no *content* can break it; "
    "see `route()` and [the notes](https://example.org/notes) for what a cancel does on its way.\n\n"
)
SECTION = (
    "## Part #\n\n"
    + PROSE * 3
    + "- the first point, with `code` in it\n- the second point\n  - and one below it\n\n"
    + "```python\ndef part_#(values: list[int]) -> int:\n"
    + '    """Sum of what is even."""\n    return sum(value for value in values if value % 2 == 0)\n```\n\n'
    + "| name | kind | cost |\n| --- | --- | ---: |\n| read | free | 1 |\n| bash | asks | 12 |\n\n"
)


def markdown(characters: int) -> str:
    """About so many, as models write: prose, lists, code and tables."""
    sections = [SECTION.replace("#", str(number)) for number in range(characters // len(SECTION) + 1)]
    return f"{''.join(sections)[:characters]}\n\n```\n```\n\n{LAST_WORD}\n"

"""`trouper models [FILTER]`: which models there are, what they cost and take, and which can be asked now."""

import argparse
import os
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from actors.config import Settings
from actors.mailbox import Mailbox
from actors.messages.model import ListedModel, ListModels, ModelFacts, Models, Price
from ui import answering, cells, session
from ui.answering import complain
from ui.harmless import one_line
from ui.session import Run
from ui.start import Launch
from ui.stdout import write
from ui.theme import theme, wants_colour
from ui.usage import DONE, FAILED

EXAMPLES = """
examples:
  trouper models                   all of them; those that can be asked now come first
  trouper models sonnet            those with "sonnet" in PROVIDER/NAME
  trouper models openrouter qwen   those with both words
  trouper models --json | jq '.[] | select(.usable).model'

Prices are US dollars for a million tokens; a range where a long prompt costs more. "?": not known,
or not confirmed by the maker.
"""
HEADINGS = ("MODEL", "CONTEXT", "IN", "OUT", "EFFORTS", "TAKES")
RIGHT = frozenset({"CONTEXT", "IN", "OUT"})
DROPPED_FIRST = ("EFFORTS", "TAKES", "CONTEXT")
"""Columns that go when the terminal is too narrow for all."""
USUAL_WIDTH = 80
"""Of a terminal that does not know its own."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    filter: str
    json: bool


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = _parser().parse_args(arguments)
    wanted = Wanted(filter=" ".join(options.filter), json=options.json)
    settings = msgspec.structs.replace(session.prepare(options, launch), front=session.front(wanted))
    actors = ("providers", "ui")
    return session.supervise(Run(settings=settings, launch=launch, entry="ui.models_cli:run", actors=actors))


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await answering.run(mailbox, partial(_answer, mailbox, wanted))


async def _answer(mailbox: Mailbox, wanted: Wanted) -> int:
    found = await mailbox.insist("providers", ListModels(filter=wanted.filter), Models)
    if wanted.json:
        rows = msgspec.json.encode([as_json(row) for row in found.models])
        await write(msgspec.json.format(rows).decode() + "\n")
    elif os.isatty(1):
        width = os.get_terminal_size(1).columns or USUAL_WIDTH
        await write("".join(f"{line}\n" for line in table(found.models, width, colour=wants_colour(os.environ))))
    else:
        await write("".join(f"{line}\n" for line in lines(found.models)))
    if found.models:
        return DONE
    near = f" The nearest: {', '.join(found.nearest)}." if found.nearest else " All of them: trouper models"
    complain(f'there is no model with "{wanted.filter}" in its name.{near}')
    return FAILED


def as_json(row: ListedModel) -> dict[str, object]:
    """null: not known."""
    facts = row.facts
    return {
        "model": row.model,
        "usable": row.usable,
        "why_not": row.why_not or None,
        "aliases": facts.aliases,
        "context": facts.context or None,
        "max_input": facts.max_input or None,
        "max_output": facts.max_output or None,
        "prices": [{name: getattr(price, name) for name in Price.__struct_fields__} for price in facts.prices] or None,
        "search_usd": facts.search_usd,
        "efforts": facts.efforts,
        "thinking": facts.thinking or None,
        "images": facts.images,
        "pdfs": facts.pdfs,
        "tools": facts.tools,
        "unsure": facts.unsure,
    }


def lines(rows: Sequence[ListedModel]) -> Iterator[str]:
    """One a model, complete, its columns parted by tabs: for other programs."""
    for row in rows:
        yield "\t".join((*row_of(row), "usable" if row.usable else one_line(row.why_not)))


def table(rows: Sequence[ListedModel], width: int, *, colour: bool) -> Iterator[str]:
    """For a terminal: what can be asked now, then the rest under what has to be done first."""
    if not rows:
        return
    every = [HEADINGS, *map(row_of, rows)]
    widths = [max(len(one[column]) for one in every) for column in range(len(HEADINGS))]
    kept = list(HEADINGS)
    for heading in DROPPED_FIRST:
        if sum(widths[HEADINGS.index(one)] + 2 for one in kept) > width:
            kept.remove(heading)
    paint = theme(True).paint if colour else _plain

    def drawn(row: tuple[str, ...]) -> str:
        columns = [(row[number], widths[number], one in RIGHT) for number, one in enumerate(HEADINGS) if one in kept]
        whole = "  ".join(text.rjust(wide) if right else text.ljust(wide) for text, wide, right in columns)
        return cells.clip(whole.rstrip(), width)

    yield paint("dim", drawn(HEADINGS))
    why_not = ""
    for row in rows:
        if row.why_not != why_not:
            why_not = row.why_not
            yield ""
            yield paint("warning", f"not now: {one_line(why_not)}")
        yield drawn(row_of(row)) if row.usable else paint("dim", drawn(row_of(row)))


def row_of(row: ListedModel) -> tuple[str, ...]:
    facts = row.facts
    takes = [word for word, can in (("images", facts.images), ("PDFs", facts.pdfs), ("tools", facts.tools)) if can]
    return (
        one_line(row.model),
        _count(facts.context),
        _range(facts, "input"),
        _range(facts, "output"),
        " ".join(facts.efforts) or "-",
        " ".join(takes) or ("?" if facts.tools is None else "-"),
    )


def _count(tokens: int) -> str:
    if not tokens:
        return "?"
    return f"{tokens / 1_000_000:.3g}M" if tokens >= 1_000_000 else f"{tokens / 1000:.4g}k"


def _range(facts: ModelFacts, what: str) -> str:
    """Of the prices of all tiers."""
    amounts = [getattr(price, what) for price in facts.prices]
    if not amounts:
        return "?"
    low, high = min(amounts), max(amounts)
    unsure = "?" if facts.unsure else ""
    return f"{low:g}{unsure}" if low == high else f"{low:g}-{high:g}{unsure}"


def _plain(_style: str, text: str) -> str:
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trouper models",
        description="Which models there are, what they cost and take, and which can be asked now.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("filter", nargs="*", metavar="FILTER", help="words that must be in PROVIDER/NAME")
    parser.add_argument("--json", action="store_true", help="all that is known of each")
    parser.set_defaults(cwd=None, model="", mode="", allow=[], deny=[])
    return parser

"""`trouper models [FILTER]`: which models there are, what they cost and take, and which can be asked now."""

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import msgspec

from actors.mailbox import Mailbox
from actors.messages.model import ListedModel, ListModels, ModelFacts, Models, Price
from actors.settings.config import Settings
from ui.cli.arguments import Parser, without_common
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import one_line
from ui.headless import one_answer
from ui.headless.one_answer import complain
from ui.headless.stdout import write
from ui.screen.terminal import cells
from ui.screen.terminal.theme import theme, wants_colour
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper models                   all of them; those that can be asked now come first
  trouper models sonnet            those with "sonnet" in PROVIDER/NAME
  trouper models openrouter qwen   those with both words
  trouper models --json | jq '.[] | select(.usable).model'

Prices are US dollars for a million tokens; a range where a long prompt costs more. "?": not known,
or not confirmed by the maker. A terminal that is narrow shows "low-max" for all the efforts from low to max.
"""
HEADINGS = ("MODEL", "CONTEXT", "IN", "OUT", "EFFORTS", "TAKES")
EFFORTS = HEADINGS.index("EFFORTS")
RIGHT = frozenset({"CONTEXT", "IN", "OUT"})
LEAST_NAME = 36
"""To so many cells names are cut before the rest gets a line of its own."""
INDENT = "  "
USUAL_WIDTH = 80
"""Of a terminal that does not know its own."""


Row = tuple[str, ...]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command."""

    filter: str
    json: bool


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = parser().parse_args(arguments)
    wanted = Wanted(filter=" ".join(options.filter), json=options.json)
    settings = msgspec.structs.replace(session_settings.prepare(options, launch), front=encoded(wanted))
    actors = ("providers", "ui")
    return supervise(Run(settings=settings, launch=launch, entry="ui.cli.subcommands.models:run", actors=actors))


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(_answer, mailbox, wanted))


async def _answer(mailbox: Mailbox, wanted: Wanted) -> int:
    found = await mailbox.insist("providers", ListModels(filter=wanted.filter), Models)
    if wanted.json:
        await write(json_text.pretty([as_json(row) for row in found.models]))
    elif os.isatty(1):
        width = os.get_terminal_size(1).columns or USUAL_WIDTH
        rows = table(found.models, width, colour=wants_colour(os.environ))
        await write("".join(f"{row}\n" for row in rows), styled=True)
    else:
        await write("".join(f"{line}\n" for line in lines(found.models)))
    for said in found.silent:
        complain(one_line(said))
    if found.models:
        return DONE
    if found.silent:
        return FAILED
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
    drawn = _layout([HEADINGS, *map(row_of, rows)], width)
    paint = theme(True).paint if colour else _plain
    yield from (paint("dim", line) for line in drawn(HEADINGS))
    why_not = ""
    for row in rows:
        if row.why_not != why_not:
            why_not = row.why_not
            yield ""
            for spans in cells.wrap([("", f"not now: {one_line(why_not)}")], width):
                yield paint("warning", "".join(text for _, text in spans))
        yield from (line if row.usable else paint("dim", line) for line in drawn(row_of(row)))


def _layout(every: Sequence[Row], width: int) -> Callable[[Row], list[str]]:
    """How a row is drawn: whole; with short efforts; without TAKES; with cut names; on two lines."""
    shortened = [_shortened(row) for row in every]
    without_takes = [row[:-1] for row in shortened]
    for rows, least in ((every, None), (shortened, None), (without_takes, None), (without_takes, LEAST_NAME)):
        widths = _widths(rows)
        rest = sum(widths[1:]) + 2 * len(widths[1:])
        name = widths[0] if least is None else min(widths[0], max(least, width - rest))
        if name + rest <= width:
            return partial(_one_line, widths=[name, *widths[1:]], short=rows is not every)
    widths = _widths(shortened)
    fits = len(INDENT) + sum(widths[1:]) + 2 * len(widths[2:]) <= width
    return partial(_two_lines, widths=widths if fits else widths[:-1], width=width)


def _widths(rows: Iterable[Row]) -> list[int]:
    return [max(map(cells.width, column)) for column in zip(*rows, strict=True)]


def _one_line(row: Row, *, widths: Sequence[int], short: bool) -> list[str]:
    name, *rest = _shortened(row) if short else row
    return [_columns((cells.clip(name, widths[0]), *rest), HEADINGS, widths)]


def _two_lines(row: Row, *, widths: Sequence[int], width: int) -> list[str]:
    name, *rest = _shortened(row)
    return [cells.clip(name, width), cells.clip(INDENT + _columns(rest, HEADINGS[1:], widths[1:]), width)]


def _columns(texts: Sequence[str], headings: Sequence[str], widths: Sequence[int]) -> str:
    """As many as there are widths for."""
    columns = zip(texts, headings, widths, strict=False)
    return "  ".join(text.rjust(wide) if one in RIGHT else text.ljust(wide) for text, one, wide in columns).rstrip()


def _shortened(row: Row) -> Row:
    """Of many efforts the first and the last."""
    efforts = row[EFFORTS].split()
    return (*row[:EFFORTS], f"{efforts[0]}-{efforts[-1]}" if len(efforts) > 2 else row[EFFORTS], *row[EFFORTS + 1 :])


def row_of(row: ListedModel) -> Row:
    facts = row.facts
    takes = [word for word, can in (("images", facts.images), ("PDFs", facts.pdfs), ("tools", facts.tools)) if can]
    return (
        one_line(row.model),
        _count(facts.context),
        _range(facts, "input"),
        _range(facts, "output"),
        " ".join(facts.levels) or "-",
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


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper models",
        description="Which models there are, what they cost and take, and which can be asked now.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("filter", nargs="*", metavar="FILTER", help="words that must be in PROVIDER/NAME")
    made.add_argument("--json", action="store_true", help="all that is known of each")
    without_common(made)
    return made

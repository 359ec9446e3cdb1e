"""`trouper models`: what is shown to people, to programs and as JSON."""

import json
import os

import msgspec
import pytest

from actors.mailbox import Mailbox
from actors.messages.model import ListedModel, ListModels, ModelFacts, Models, Price
from tests.fakes.network import open_network
from tests.ui.headless.fronts import exit_code, settings, stdout_is
from ui.cli.subcommands import models
from ui.cli.subcommands.models import Wanted, as_json, lines, table

OPUS = ListedModel(
    model="anthropic/claude-opus-5-5",
    facts=ModelFacts(
        id="claude-opus-5-5",
        context=1_000_000,
        prices=(Price(input=4, output=20), Price(above=9, input=8, output=30)),
        efforts=("low", "high"),
        images=True,
        pdfs=False,
        tools=True,
    ),
    usable=True,
)
LOCAL = ListedModel(model="ollama/qwen\x1b[31m", facts=ModelFacts(), usable=False, why_not="Start it.")
LOOSE = ListedModel(model="x/y", facts=ModelFacts(prices=(Price(input=1, output=2),), unsure=True), usable=True)


async def shown(found: Models, words: Wanted) -> int:
    async def providers(mailbox: Mailbox) -> None:
        async for request in mailbox:
            assert request.message == ListModels(filter=words.filter)
            request.reply(found)

    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        network.start("providers", providers)
        network.start("ui", lambda mailbox: models.run(mailbox, settings(words)))
        return await exit_code(supervisor)


def test_in_a_pipe_a_model_is_a_line() -> None:
    assert list(lines([OPUS, LOCAL, LOOSE])) == [
        "anthropic/claude-opus-5-5\t1M\t4-8\t20-30\tlow high\timages tools\tusable",
        "ollama/qwen\\x1b[31m\t?\t?\t?\t-\t?\tStart it.",
        "x/y\t?\t1?\t2?\t-\t?\tusable",
    ]


def test_on_a_terminal_what_cannot_be_asked_comes_under_the_next_step() -> None:
    assert list(table([OPUS, LOCAL], 100, colour=False)) == [
        "MODEL                      CONTEXT   IN    OUT  EFFORTS   TAKES",
        "anthropic/claude-opus-5-5       1M  4-8  20-30  low high  images tools",
        "",
        "not now: Start it.",
        "ollama/qwen\\x1b[31m              ?    ?      ?  -         ?",
    ]


def test_without_colour_nothing_is_painted() -> None:
    assert "\x1b" not in "".join(table([OPUS, LOCAL], 100, colour=False))
    assert "\x1b" in "".join(table([OPUS, LOCAL], 100, colour=True))


@pytest.mark.parametrize("width", [10, 30, 44, 60, 70, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    drawn = list(table([OPUS, LOCAL], width, colour=False))

    assert [line for line in drawn if len(line) > width] == []
    assert drawn[0].startswith("MODEL")


def test_efforts_and_prices_stay_when_it_gets_narrow() -> None:
    efforts = ("low", "medium", "high", "xhigh", "max")
    facts = msgspec.structs.replace(OPUS.facts, efforts=efforts)
    long = msgspec.structs.replace(OPUS, model="openrouter/vendor/a-name-as-long-as-they-come-2025", facts=facts)
    locked = msgspec.structs.replace(LOCAL, why_not="Set A_LONG_KEY, or keep a key with: trouper auth set long")

    assert list(table([long], 120, colour=False))[1].endswith("4-8  20-30  low medium high xhigh max  images tools")
    assert list(table([long], 100, colour=False))[1].endswith("4-8  20-30  low-max  images tools")
    assert list(table([long], 80, colour=False))[1].endswith("-2025       1M  4-8  20-30  low-max")
    assert list(table([long], 70, colour=False))[1] == (
        "openrouter/vendor/a-name-as-long-as-the…       1M  4-8  20-30  low-max"
    )
    assert list(table([long, locked], 40, colour=False)) == [
        "MODEL",
        "  CONTEXT   IN    OUT  EFFORTS",
        "openrouter/vendor/a-name-as-long-as-the…",
        "       1M  4-8  20-30  low-max",
        "",
        "not now: Set A_LONG_KEY, or keep a key",
        "with: trouper auth set long",
        "ollama/qwen\\x1b[31m",
        "        ?    ?      ?  -",
    ]


def test_a_budget_of_thinking_has_levels() -> None:
    facts = ModelFacts(id="m", thinking="budget")
    (line,) = lines([msgspec.structs.replace(LOOSE, facts=facts)])

    assert line.split("\t")[4] == "low medium high"


def test_json_says_what_is_not_known() -> None:
    known, unknown = as_json(OPUS), as_json(LOCAL)

    assert (known["usable"], known["why_not"], known["context"], known["efforts"]) == (
        True,
        None,
        1_000_000,
        ("low", "high"),
    )
    assert known["prices"] == [
        {"above": 0, "input": 4, "output": 20, "cache_read": None, "cache_write": None, "cache_write_1h": None},
        {"above": 9, "input": 8, "output": 30, "cache_read": None, "cache_write": None, "cache_write_1h": None},
    ]
    assert (unknown["why_not"], unknown["context"], unknown["prices"], unknown["tools"]) == (
        "Start it.",
        None,
        None,
        None,
    )


async def test_the_command_prints_and_succeeds(capfd: pytest.CaptureFixture[str]) -> None:
    code = await shown(Models(models=(OPUS,)), Wanted(filter="opus", json=True))

    assert code == 0
    assert json.loads(capfd.readouterr().out)[0]["model"] == "anthropic/claude-opus-5-5"


async def test_no_hit_is_a_failure_that_names_the_nearest(capfd: pytest.CaptureFixture[str]) -> None:
    code = await shown(Models(models=(), nearest=("a/b", "c/d")), Wanted(filter="bb", json=False))

    said = capfd.readouterr()
    assert (code, said.out) == (1, "")
    assert said.err == 'trouper: there is no model with "bb" in its name. The nearest: a/b, c/d.\n'


async def test_on_a_terminal_it_is_a_table(capfd: pytest.CaptureFixture[str]) -> None:
    ours, theirs = os.openpty()
    with stdout_is(theirs):
        code = await shown(Models(models=(OPUS,)), Wanted(filter="", json=False))
        drawn = os.read(ours, 4096).decode()
    os.close(ours)

    assert code == 0
    assert "MODEL" in drawn
    assert capfd.readouterr().err == ""

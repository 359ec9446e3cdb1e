"""What the benchmark says of its figures, which other agents it finds, and what it reads from them and from Python."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.bench import formats, profile
from tests.bench.agents import installed
from tests.bench.figures import Figure, line
from tests.bench.measured import Measured, summary
from tests.bench.plan import Call, Plan

PLAN = Plan(calls=(Call("look", {"path": "a"}),), rounds=2)
ASKED: dict[str, Any] = {"role": "user", "content": PLAN.prompt}
NOTE = "<reminder>be brief</reminder>"


@pytest.mark.parametrize(
    ("value", "target", "others", "mark"),
    [
        (1.0, 2.0, {}, "at target"),
        (3.0, 2.0, {}, "MISSED"),
        (3.0, None, {}, ""),
        (1.0, 2.0, {"codex": [5.0], "pi": [4.0]}, "at target"),
        (3.0, 2.0, {"codex": [5.0], "pi": [3.0]}, "below the best other"),
        (4.5, 2.0, {"codex": [5.0], "pi": [4.0]}, "behind pi"),
        (1.5, 2.0, {"codex": [1.0]}, "at target, behind codex"),
        (3.0, None, {"codex": [5.0]}, "below the best other"),
        (3.0, 2.0, {"codex": []}, "MISSED"),
    ],
)
def test_a_figure_is_marked_by_its_target_and_by_the_best_other(
    value: float, target: float | None, others: dict[str, list[float]], mark: str
) -> None:
    assert Figure(what="it", unit="ms", values=[value], target=target, others=others).mark == mark


def test_a_line_names_each_other_agent_and_its_figure() -> None:
    figure = Figure(what="it", unit="ms", values=[3.0], others={"codex": [5.0, 7.0], "pi": []})

    assert "codex   6.00  pi      -" in line(figure)


def test_the_summary_names_what_is_marked_by_its_mark() -> None:
    reached = Figure(what="wall", unit="s", values=[1.0], target=2.0)
    behind = Figure(what="wall", unit="s", values=[3.0], target=2.0, others={"pi": [1.0]})
    scale = Figure(what="for scale", unit="s", values=[1.0])

    said = summary(
        [
            Measured(row="start", busy=0, load=0.0, noisy=False, figures=[scale, reached]),
            Measured(row="start", busy=2, load=2.0, noisy=False, figures=[behind]),
        ]
    )

    assert said == ["at target:", "  start: wall, median", "behind pi:", "  start beside 2: wall, median"]


def test_other_agents_are_found_in_the_folder_that_is_named_and_else_on_the_path(tmp_path: Path) -> None:
    named, usual = tmp_path / "named", tmp_path / "usual"
    codex, pi = a_program(named / "codex"), a_program(usual / "pi")

    assert installed.found({"BENCH_PEERS": str(named), "PATH": str(usual)}) == {"codex": codex}
    assert installed.found({"PATH": str(usual)}) == {"pi": pi}
    assert installed.found({"PATH": str(tmp_path)}) == {}


@pytest.mark.parametrize(
    ("said", "module"),
    [
        ("import time:      1250 |       3000 |     trio._core", ("trio._core", 1.25)),
        ("import time: self [us] | cumulative | imported package", None),
        ("trouper: there is no model", None),
    ],
)
def test_a_line_about_an_import_is_the_module_and_its_own_time(said: str, module: tuple[str, float] | None) -> None:
    assert profile.read(said) == module


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [ASKED, {"role": "assistant", "content": None}, {"role": "tool", "content": "a"}]},
        {"input": [ASKED, {"type": "function_call", "name": "look"}, {"type": "function_call_output", "output": "a"}]},
        {
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": text} for text in (NOTE, PLAN.prompt)]},
                {"role": "assistant", "content": [{"type": "tool_use", "name": "look"}]},
                {"role": "user", "content": [{"type": "tool_result", "content": "a"}]},
                {"role": "system", "content": NOTE},
            ]
        },
    ],
    ids=["chat", "responses", "messages"],
)
def test_the_model_knows_its_plan_and_how_often_it_has_answered(body: dict[str, Any]) -> None:
    assert formats.read(msgspec.json.encode(body)) == (PLAN, 1)


def test_a_request_for_something_else_has_no_plan() -> None:
    assert formats.read(msgspec.json.encode({"input": [{"role": "user", "content": "A title, please."}]})) is None


@pytest.mark.parametrize("path", formats.BY_PATH)
def test_a_call_is_made_in_every_format_until_the_rounds_are_over(path: str) -> None:
    first, last = (
        b"".join(part for parts in formats.BY_PATH[path](PLAN, answered) for part in parts) for answered in (1, 2)
    )

    assert b'"look"' in first
    assert b'"look"' not in last
    assert b"Done." in last


def a_program(path: Path) -> str:
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)

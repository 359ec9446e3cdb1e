"""A session as a trajectory: steps as the format wants them, and its own validator where that is installed."""

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from actors.messages.conversation import (
    Attachment,
    BrokenTry,
    Compacted,
    Entry,
    ModelChosen,
    Text,
    Thinking,
    TurnEnded,
    UserMessage,
)
from actors.messages.usage import Usage
from tests.ui.session_files.conversations import (
    HOSTILE,
    PNG,
    answer,
    call,
    entries,
    hostile_session,
    prompt,
    result,
    said,
)
from ui.session_files.atif import NoSteps, Telling

USAGE = Usage(input_tokens=10, cache_read_tokens=4, output_tokens=5, reasoning_tokens=2, cost_usd=0.25)


def atif(session: Iterable[Entry]) -> str:
    telling = Telling()
    for entry in session:
        telling.add(entry)
    return telling.atif("s")


def written(*bodies: object) -> dict[str, object]:
    return dict(json.loads(atif(entries(*bodies))))  # type: ignore[arg-type]


def steps(*bodies: object) -> list[dict[str, object]]:
    """Without their numbers and times."""
    found = written(*bodies)["steps"]
    assert isinstance(found, list)
    assert [step["step_id"] for step in found] == list(range(1, len(found) + 1))
    return [{key: value for key, value in step.items() if key not in {"step_id", "timestamp"}} for step in found]


def test_an_answer_its_calls_and_their_results_are_one_step() -> None:
    found = steps(
        ModelChosen(model="house/m", effort="high", run_id="r"),
        prompt("Fix it"),
        answer(Thinking(text="where?"), Text(text="I look."), call("c"), call("d", "box___run", "{"), usage=USAGE),
        result("late", "d", failed=True, denied=True),
        result("text", "c", ms=7),
        said("Done."),
    )

    assert found == [
        {"source": "user", "message": "Fix it"},
        {
            "source": "agent",
            "model_name": "house/m",
            "reasoning_effort": "high",
            "message": "I look.",
            "reasoning_content": "where?",
            "tool_calls": [
                {"tool_call_id": "c", "function_name": "read", "arguments": {"path": "a"}},
                {
                    "tool_call_id": "d",
                    "function_name": "box___run",
                    "arguments": {},
                    "extra": {"shown": "box:run", "written": "{"},
                },
            ],
            "observation": {
                "results": [
                    {"source_call_id": "d", "content": "late", "extra": {"failed": True, "denied": True, "ms": 0}},
                    {"source_call_id": "c", "content": "text", "extra": {"ms": 7}},
                ]
            },
            "metrics": {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "cached_tokens": 4,
                "cost_usd": 0.25,
                "extra": {"cache_write_tokens": 0, "reasoning_tokens": 2},
            },
            "llm_call_count": 1,
        },
        {
            "source": "agent",
            "model_name": "house/m",
            "reasoning_effort": "high",
            "message": "Done.",
            "llm_call_count": 1,
        },
    ]


def test_the_head_and_the_sums() -> None:
    whole = written(
        prompt("Fix it"),
        BrokenTry(usage=USAGE),
        answer(Text(text="Done."), usage=USAGE),
        TurnEnded(turn_id="t", reason="done"),
    )

    assert {name: whole[name] for name in ("schema_version", "session_id", "final_metrics", "extra")} == {
        "schema_version": "ATIF-v1.8",
        "session_id": "s",
        "final_metrics": {
            "total_prompt_tokens": 20,
            "total_completion_tokens": 10,
            "total_cached_tokens": 8,
            "total_cost_usd": 0.5,
            "total_steps": 2,
        },
        "extra": {"ended": "done"},
    }


def test_what_the_program_says_is_a_step_of_the_system() -> None:
    found = steps(
        UserMessage(text="Go on.", turn_id="t"),
        result("alone", "nobody"),
        Compacted(why="asked", told="kept 3 of 9"),
        TurnEnded(turn_id="t", reason="failed", text="the service is down"),
    )

    assert found == [
        {"source": "system", "message": "Go on."},
        {
            "source": "system",
            "message": "A result of read without its call",
            "observation": {"results": [{"content": "alone", "extra": {"ms": 0}}]},
        },
        {"source": "system", "message": "Compacted: kept 3 of 9"},
        {"source": "system", "message": "The turn ended: failed: the service is down"},
    ]


def test_an_image_is_named() -> None:
    image = Attachment(name="shot.png", media_type="image/png", data=PNG, size=len(PNG))

    assert steps(UserMessage(text="look", turn_id="t", prompt_id="p", attachments=(image,))) == [
        {"source": "user", "message": "look\n[image shot.png, 1 KB]"}
    ]


def test_a_session_in_which_nothing_was_said_is_none() -> None:
    with pytest.raises(NoSteps):
        atif(entries(ModelChosen(model="house/m", run_id="r")))


def test_secrets_are_left_out() -> None:
    key = "sk-abcdefghijklmnop1234"

    whole = atif(
        entries(
            prompt(key),
            answer(Thinking(text=key), Text(text=key), call(arguments=f'{{"token":"{key}"}}')),
            result(f'{{"key": "{key}"}}'),
            TurnEnded(turn_id="t", reason="failed", text=key),
        )
    )

    assert key not in whole
    assert whole.count("[redacted]") == 6


@pytest.mark.slow
def test_the_validator_of_the_format_has_nothing_to_say(tmp_path: Path) -> None:
    harbor = shutil.which("harbor")
    if harbor is None:
        pytest.skip("the program harbor is not installed: pip install harbor, with Python 3.12 or newer")
    python = Path(harbor).resolve().with_name("python")
    for number, text in enumerate(("plain", *HOSTILE)):
        (tmp_path / f"{number}.json").write_text(atif(hostile_session(text)))
    check = (
        "import sys; from harbor.utils.trajectory_validator import TrajectoryValidator as V; v = V();"
        "print([v.errors for path in sys.argv[1:] if not v.validate(path)])"
    )

    done = subprocess.run([python, "-c", check, *tmp_path.iterdir()], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"

"""A session of each agent with everything in it, as it is here: what was said, what is counted, what hangs on what."""

from collections import Counter

import pytest

from actors.messages.conversation import (
    AssistantMessage,
    Compacted,
    Foreign,
    Moved,
    Thinking,
    UserMessage,
)
from actors.messages.usage import Usage
from tests.ui.session_files.foreign.imported import active, faults, imported, said, sample
from ui.session_files.foreign.parts import Tally

AGENTS = ("claude", "codex", "pi")
each_agent = pytest.mark.parametrize("agent", AGENTS)


def test_a_session_of_claude_code_is_what_was_said_on_its_path() -> None:
    entries, _ = imported(sample("claude"))

    assert said(active(entries)) == [
        "> How tall is the oak?",
        "I look in both. Read! Read!",
        "✗ File does not exist.",
        "✓ 1\tThe oak is 21 m tall.",
        "21 m.\u2028There is no elm.",
        "[done]",
        "Moved",
        "> Is it this one?",
        "Bash!",
        "✗ The user doesn't want to proceed with this tool use.",
        "Compacted",
        "[interrupted]",
        "> Measure the fence too.",
        "Bash!",
        "✗ not in the imported session",
        "[interrupted]",
        "> And the gate.",
        "The tape said nothing.",
        "[done]",
    ]


def test_a_session_of_codex_is_what_was_said_and_not_undone() -> None:
    entries, _ = imported(sample("codex"))

    assert said(active(entries)) == [
        "> How tall is the oak?",
        "exec_command! exec_command!",
        "✗ no such file",
        "✓ The oak is 21 m tall.",
        "apply_patch!",
        "✗ nothing to patch",
        "21 m.",
        "[done]",
        "Moved",
        "> Is it this one?",
        "exec_command!",
        "✓ aborted by user",
        "Compacted",
        "[interrupted]",
        "> Measure the fence too.",
        "The tape said nothing. exec_command!",
        "✗ not in the imported session",
        "[interrupted]",
    ]


def test_a_session_of_pi_is_what_was_said_on_its_path() -> None:
    entries, _ = imported(sample("pi"))

    assert said(active(entries)) == [
        "> How tall is the oak?",
        "read! read!",
        "✗ ENOENT",
        "✓ The oak is 21 m tall.",
        "21 m.",
        "[done]",
        "Moved",
        "(It was drawn as a Y.)",
        "> Is it this one?",
        "bash!",
        "✗ not in the imported session",
        "(I ran this command: tape oak\n\n21 m\n)",
        "Compacted",
        "(It rains.)",
        "[interrupted]",
        "> Measure the fence too.",
        "bash!",
        "✗ not in the imported session",
        "The tape said nothing.",
        "[done]",
    ]


def test_everything_in_a_file_is_counted() -> None:
    assert {agent: imported(sample(agent))[1] for agent in AGENTS} == {
        "claude": Tally(
            prompts=5, answers=6, calls=4, results=3, calls_without_result=1, results_without_call=1, compactions=1,
            branches=1, unreadable=1, unknown=Counter({"weather-report": 1, "user of another form": 1}),
            left_out=Counter({
                "queue-operation": 1, "custom-title": 1, "of a subagent": 1, "attachment/skill_listing": 1,
                "system/turn_duration": 1, "assistant/synthetic": 1, "user/caveat": 1, "user/command": 1,
            }),
        ),
        "codex": Tally(
            prompts=4, answers=6, calls=5, results=4, calls_without_result=1, results_without_call=1, compactions=1,
            branches=1, unreadable=1, unknown=Counter({"response_item/web_search_call": 1, "weather_report": 1}),
            left_out=Counter({
                "session_meta": 1, "response_item/message of the program": 3, "turn_context": 4,
                "token_usage_record": 6, "event_msg/task_started": 4, "event_msg/user_message": 4,
                "event_msg/token_count": 1, "event_msg/agent_message": 1, "event_msg/task_complete": 1,
                "event_msg/thread_rolled_back": 1, "event_msg/turn_aborted": 1,
            }),
        ),
        "pi": Tally(
            prompts=4, answers=6, calls=4, results=2, calls_without_result=2, results_without_call=1, compactions=1,
            branches=1, unreadable=1, unknown=Counter({"weather_report": 1, "custom": 1}),
            left_out=Counter({"model_change": 1, "thinking_level_change": 1, "session_info": 1}),
        ),
    }  # fmt: skip


@each_agent
def test_a_model_service_would_take_it(agent: str) -> None:
    entries, _ = imported(sample(agent))

    assert faults(entries) == []


@each_agent
def test_the_branch_that_was_left_is_there_beside_the_path(agent: str) -> None:
    entries, _ = imported(sample(agent))
    on_path = {entry.id for entry in active(entries)}
    moved = next(entry for entry in entries if isinstance(entry.body, Moved))

    left = [entry for entry in entries if entry.id not in on_path]

    assert said(left) == ["> Draw it in ASCII.", "Y", "[done]"]
    assert left[0].parent == moved.parent
    assert isinstance(moved.body, Moved)
    assert moved.body.left == left[-1].id


@each_agent
def test_a_compaction_sends_the_summary_and_the_turn_that_was_kept(agent: str) -> None:
    entries, _ = imported(sample(agent))
    by_id = {entry.id: entry.body for entry in entries}

    compacted = next(entry.body for entry in entries if isinstance(entry.body, Compacted))
    first_kept = by_id[compacted.kept_from]

    assert "The oak is 21 m tall." in compacted.carried.summary
    assert compacted.carried.said == ("How tall is the oak?",)
    assert compacted.read_from == compacted.kept_from
    assert isinstance(first_kept, UserMessage)
    assert first_kept.text == ("It was drawn as a Y." if agent == "pi" else "Is it this one?")


@each_agent
def test_what_is_unknown_is_kept_with_the_session(agent: str) -> None:
    entries, tally = imported(sample(agent))

    kept = Counter(entry.body.kind for entry in entries if isinstance(entry.body, Foreign))

    assert {kind: kept[kind] for kind in tally.unknown} == dict(tally.unknown)


@each_agent
def test_an_image_comes_with_its_prompt(agent: str) -> None:
    entries, _ = imported(sample(agent))

    attached = [one for e in entries if isinstance(e.body, UserMessage) for one in e.body.attachments]

    assert [(one.media_type, one.size, one.data[:4]) for one in attached] == [("image/png", 70, b"\x89PNG")]


@each_agent
def test_thinking_can_be_read_and_is_not_sent_again(agent: str) -> None:
    entries, _ = imported(sample(agent))

    answers = [entry.body for entry in entries if isinstance(entry.body, AssistantMessage)]
    thoughts = [block for answer in answers for block in answer.blocks if isinstance(block, Thinking)]

    assert thoughts == [Thinking(text="Two files may say it.")]
    assert {answer.answers for answer in answers} == {""}


def test_usage_is_that_of_the_whole_answer() -> None:
    first = {agent: _first_answer(agent).usage for agent in AGENTS}

    seen = Usage(input_tokens=115, cache_read_tokens=100, cache_write_tokens=5, output_tokens=7)
    assert first["claude"] == seen
    assert first["pi"] == Usage(
        input_tokens=115, cache_read_tokens=100, cache_write_tokens=5, output_tokens=7, cost_usd=0.25
    )
    assert first["codex"] == Usage(input_tokens=50, cache_read_tokens=20, output_tokens=9, reasoning_tokens=4)


def _first_answer(agent: str) -> AssistantMessage:
    return next(entry.body for entry in imported(sample(agent))[0] if isinstance(entry.body, AssistantMessage))


@each_agent
def test_the_same_file_makes_the_same_entries(agent: str) -> None:
    assert imported(sample(agent))[0] == imported(sample(agent))[0]


@each_agent
def test_times_are_those_of_the_session(agent: str) -> None:
    entries, _ = imported(sample(agent))

    prompts = [entry.at for entry in entries if isinstance(entry.body, UserMessage) and entry.body.prompt_id]

    assert prompts == sorted(prompts)
    assert 1_772_355_600 <= prompts[0] < prompts[-1] < 1_772_359_200

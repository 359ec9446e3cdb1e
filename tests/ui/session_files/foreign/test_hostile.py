"""Files that are torn, odd or made to harm: what can be read is imported, the rest is counted, and nothing crashes."""

import io
import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.messages.conversation import Foreign, ToolResult, UserMessage
from tests.ui.session_files.foreign.imported import active, faults, imported, said, sample
from ui.session_files.foreign import recognition, records
from ui.session_files.foreign.entries import MOST_NOTES, entries
from ui.session_files.foreign.parts import Agent

AGENTS: tuple[Agent, ...] = ("claude", "codex", "pi")
each_agent = pytest.mark.parametrize("agent", AGENTS)
Json = dict[str, Any]


def user(own: str, before: str | None, words: object = "hi") -> Json:
    message = {"role": "user", "content": words}
    return {"type": "user", "uuid": own, "parentUuid": before, "sessionId": "s", "message": message}


def answer(own: str, before: str | None, *blocks: Json, message_id: str = "") -> Json:
    message = {"id": message_id or own, "role": "assistant", "model": "m", "content": [*blocks]}
    return {"type": "assistant", "uuid": own, "parentUuid": before, "sessionId": "s", "message": message}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def call(call_id: str) -> Json:
    return {"type": "tool_use", "id": call_id, "name": "Read", "input": {}}


def result(call_id: str, output: str = "ok") -> list[Json]:
    return [{"type": "tool_result", "tool_use_id": call_id, "content": output}]


def lines(*records_: Json) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records_)


def told(*records_: Json) -> list[str]:
    made, _ = imported(lines(*records_), "claude")
    assert faults(made) == []
    return said(active(made))


def test_a_circle_is_where_a_conversation_begins() -> None:
    assert told(user("a", "b", "one"), answer("b", "a", text("two"))) == ["> one", "two", "[done]"]


def test_a_record_without_its_parent_begins_a_conversation() -> None:
    assert told(user("a", None, "lost"), user("c", "b", "one"), answer("d", "c", text("two"))) == [
        "> one",
        "two",
        "[done]",
    ]


def test_a_record_that_comes_twice_is_read_once() -> None:
    assert told(user("a", None, "one"), user("a", None, "two"), answer("b", "a", text("x"))) == ["> one", "x", "[done]"]


def test_an_answer_without_a_question_gets_a_beginning() -> None:
    assert told(answer("a", None, text("two")), user("b", "a", "three")) == [
        "(The beginning of this conversation is not in the imported session.)",
        "two",
        "[done]",
        "> three",
        "[interrupted]",
    ]


def test_a_second_result_of_a_call_is_none_and_kept() -> None:
    made, tally = imported(
        lines(
            user("a", None),
            answer("b", "a", call("c")),
            user("d", "b", result("c")),
            user("e", "d", result("c", "again")),
            answer("f", "e", text("x")),
        ),
        "claude",
    )

    assert faults(made) == []
    assert [entry.body.output for entry in made if isinstance(entry.body, ToolResult)] == ["ok"]
    assert tally.results_without_call == 1
    assert [e.body.record for e in made if isinstance(e.body, Foreign)][1] == '{"call_id":"c","output":"again"}'


def test_the_same_id_for_two_calls_becomes_two() -> None:
    assert (
        told(
            user("a", None),
            answer("b", "a", call("c"), call("c")),
            user("d", "b", result("c")),
            answer("e", "d", call("c")),
            user("f", "e", result("c")),
            answer("g", "f", text("x")),
        ).count("✓ ok")
        == 2
    )


def test_a_compaction_counts_also_where_what_comes_next_hangs_on_what_it_kept() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "c", "logicalParentUuid": "b"}
    summary = {**user("d", "c", "So far."), "isCompactSummary": True}

    assert told(user("a", None, "one"), answer("b", "a", text("two")), boundary, summary, user("e", "b", "three")) == [
        "> one",
        "two",
        "Compacted",
        "[done]",
        "> three",
        "[interrupted]",
    ]


def test_an_answer_that_only_thought_is_kept_and_not_sent() -> None:
    thought = {"type": "thinking", "thinking": "Hm."}

    made, tally = imported(lines(user("a", None, "one"), answer("b", "a", thought), user("c", "b", "two")), "claude")

    assert faults(made) == []
    assert said(active(made)) == ["> one", "[interrupted]", "> two", "[interrupted]"]
    assert tally.left_out == {"only thinking": 1}


@pytest.mark.parametrize("kept", ["", "m", "nowhere", "x"])
def test_a_compaction_that_kept_from_anywhere_is_one(kept: str) -> None:
    records_ = (
        {"type": "session", "id": "s", "cwd": "/x"},
        {"type": "custom", "id": "x"},
        {"type": "message", "id": "m", "parentId": "x", "message": {"role": "user", "content": "one"}},
        {"type": "compaction", "id": "c", "parentId": "m", "firstKeptEntryId": kept, "summary": "So far."},
        {"type": "message", "id": "n", "parentId": "c", "message": {"role": "user", "content": "two"}},
    )

    made, _ = imported(lines(*records_), "pi")

    assert faults(made) == []
    assert said(active(made)) == ["> one", "Compacted", "[interrupted]", "> two", "[interrupted]"]


def test_a_branch_in_the_middle_of_a_turn_is_counted() -> None:
    made, tally = imported(
        lines(
            user("a", None, "one"),
            answer("b", "a", call("c")),
            user("x", "b", "elsewhere"),
            answer("y", "x", text("there")),
            user("d", "b", result("c")),
            answer("e", "d", text("x")),
        ),
        "claude",
    )

    assert said(active(made)) == ["> one", "Read!", "✓ ok", "x", "[done]"]
    assert (tally.branches, tally.branches_left_out) == (0, 1)


def test_half_a_character_is_replaced() -> None:
    data = rb'{"type":"user","uuid":"a","sessionId":"s","message":{"content":"\ud83d x \ud83d\ude00 \udc00 \\ud83d"}}'

    made, _ = imported(data + b"\n", "claude")

    assert said(active(made))[0] == "> � x 😀 � \\ud83d"


def test_bytes_that_are_no_text_are_replaced() -> None:
    data = lines(user("a", None, "one two")).replace(b"one ", b"one\xff")

    made, _ = imported(data, "claude")

    assert said(active(made))[0] == "> one�two"


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000 + b"]" * 100_000,
        b'{"type":"user","uuid":"z","a":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_001,
        b'{"type":1}',
        b"null",
        b'"text"',
        b'{"type":"user","uuid":"z","message":{"content":1e999}}',
        b"\xff\xfe\x00",
        b'{"type":"user"',
    ],
    ids=["a deep list", "a deep object", "a number", "null", "a text", "a large number", "no text", "torn"],
)
def test_a_line_that_makes_no_sense_is_counted(line: bytes) -> None:
    made, tally = imported(lines(user("a", None, "one")) + line + b"\n" + lines(user("b", "a", "two")), "claude")

    assert said(active(made)) == ["> one", "[interrupted]", "> two", "[interrupted]"]
    assert tally.unreadable + tally.unknown.total() + tally.left_out.total() == 1


@pytest.mark.parametrize("value", [{}, [], 1, True, "x" * 100, [[]], [{"type": 1}]])
@pytest.mark.parametrize(
    "key", ["uuid", "parentUuid", "message", "timestamp", "sessionId", "cwd", "attachment", "type"]
)
def test_a_member_of_another_form_harms_only_its_record(key: str, value: object) -> None:
    odd = {**user("z", None, "odd"), key: value}

    made, _ = imported(lines(user("a", None, "one"), odd, user("b", "a", "two")), "claude")

    assert said(active(made))[-2:] == ["> two", "[interrupted]"]


def test_a_line_that_is_too_long_is_skipped_without_being_read_into_memory() -> None:
    file = _Endless(lines(user("a", None, "one")), 3 * records.LONGEST, lines(user("b", "a", "two")))
    tracemalloc.start()

    read = recognition.read(file, "claude")
    made = list(entries(read.facts, read.session_id, read.parts, read.tally, 1.0))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert said(active(made)) == ["> one", "[interrupted]", "> two", "[interrupted]"]
    assert read.tally.unreadable == 1
    assert peak < 2 * records.LONGEST


class _Endless(io.BytesIO):
    """A file with a line of so many bytes between two others, which is nowhere."""

    def __init__(self, before: bytes, most: int, after: bytes) -> None:
        super().__init__(before + after)
        self._before, self._most, self._left = len(before), most, most

    def seek(self, offset: int, whence: int = 0) -> int:
        self._left = 0 if offset > self._before else self._most
        return super().seek(offset - self._most if offset > self._before else offset, whence)

    def readline(self, size: int | None = -1) -> bytes:
        if self.tell() != self._before or not self._left:
            return super().readline(size or -1)
        taken = min(self._left, size or -1)
        self._left -= taken
        return b"x" * taken if self._left else b"x" * (taken - 1) + b"\n"


@each_agent
def test_of_a_file_that_is_cut_off_anywhere_what_is_there_is_imported(agent: Agent) -> None:
    whole = sample(agent)

    for end in range(len(whole) // 2, len(whole), 37):
        made, _ = imported(whole[:end], agent)
        assert faults(made) == []


@each_agent
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_order_lines_come_in_it_is_a_valid_session(agent: Agent, seed: int) -> None:
    chance = random.Random(seed)
    known = sample(agent).splitlines(keepends=True)
    mixed = [chance.choice(known) for _ in known] if chance.random() < 0.5 else chance.sample(known, len(known))
    data = b"".join(known[:3] + mixed)

    try:
        made, tally = imported(data, agent)
    except recognition.NoSession:
        return

    assert faults(made) == []
    assert tally.prompts == sum(isinstance(e.body, UserMessage) and bool(e.body.prompt_id) for e in made)


ODD = ("null", "0", "-1", "1e300", "true", '""', '"x"', '"../.."', "[]", "{}", "[null]", "[{}]", '{"type": "x"}')


@each_agent
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_whatever_a_member_holds_it_is_a_valid_session(agent: Agent, data: st.DataObject) -> None:
    """Any one, however deep, of any record."""
    known = [json.loads(line) for line in sample(agent).split(b"\n")[:-1] if line.strip(b"\0")]
    for _ in range(data.draw(st.integers(1, 4))):
        at: Any = data.draw(st.sampled_from(known))
        while True:
            key = data.draw(st.sampled_from([*at] if isinstance(at, dict) else [*range(len(at))]))
            if not isinstance(at[key], dict | list) or not at[key] or data.draw(st.booleans()):
                break
            at = at[key]
        at[key] = json.loads(data.draw(st.sampled_from(ODD)))

    try:
        made, _ = imported(lines(*known), agent)
    except recognition.NoSession:
        return

    assert faults(made) == []


@each_agent
def test_of_very_many_unknown_records_the_first_are_kept_and_all_are_counted(agent: Agent) -> None:
    more = b"".join(b'{"type":"odd","id":"%d","payload":{}}\n' % number for number in range(MOST_NOTES + 50))

    made, tally = imported(sample(agent) + b"\n" + more, agent)

    assert faults(made) == []
    assert tally.unknown["odd"] == MOST_NOTES + 50
    kept = sum(isinstance(entry.body, Foreign) and entry.body.kind not in ("begin", "end") for entry in made)
    assert (kept, tally.not_kept > 50) == (MOST_NOTES, True)


def test_a_file_of_nobody_is_not_recognised() -> None:
    for data in (b"", b"\0" * 100, b"{}\n", b'{"type":"session"}\n', b'{"type":"user"}\n', b"PK\x03\x04"):
        assert recognition.agent_of(io.BytesIO(data)) is None


@each_agent
def test_it_is_recognised_also_when_its_first_lines_are_torn(agent: Agent, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"type":"us\n\0\0\0\n' + sample(agent))

    with path.open("rb") as file:
        assert recognition.agent_of(file) == agent


@each_agent
def test_a_session_in_which_nothing_was_said_is_none(agent: Agent) -> None:
    first = sample(agent).splitlines(keepends=True)[0]

    with pytest.raises(recognition.NoSession):
        recognition.read(io.BytesIO(first), agent)

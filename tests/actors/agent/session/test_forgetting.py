"""An agent that has dropped what a compaction stands for, and one that reads only the rest, are as if they knew all."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.agent.compaction import carried, proposal
from actors.agent.compaction.window import Window
from actors.agent.session.history import History, next_step
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Compacted,
    Entry,
    ModelChosen,
    Moved,
    PromptQueued,
    Seen,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.usage import Usage

STEPS = ("prompt", "queued", "answer", "calls", "ended", "failed", "chosen", "moved", "broken", "compacted", "emptied")
CODES: dict[str, Any] = {"ended": "", "failed": "unknown_model"}
LIKELY = ("prompt", "prompt", "calls", "ended", "compacted", "chosen", "failed")
STEP = st.tuples(st.sampled_from((*STEPS, *LIKELY)), st.integers(0, 3), st.integers(0, 3000))

LIVES = st.one_of(st.lists(STEP, max_size=8), st.lists(STEP, min_size=25, max_size=60))


class Life:
    """A session as it is lived: what was written, and the history that was never read again."""

    def __init__(self) -> None:
        self.history = History("s")
        self.log: list[Entry] = []
        self.number = 0

    def take(self, step: str, kind: int, size: int) -> None:
        self.number += 1
        for body in self._bodies(step, kind, size):
            self.log.append(self.history.next_entry(body))

    def _bodies(self, step: str, kind: int, size: int) -> list[Body]:
        turn = self.history.turn_id
        name = f"n{self.number}"
        used = Usage(input_tokens=size, output_tokens=kind, cost_usd=None if kind == 3 else 0.25)
        match step:
            case "prompt":
                return [UserMessage(text=f"{name} {'x' * size}", turn_id=turn or name, prompt_id=name)]
            case "chosen":
                return [ModelChosen(model=f"p/m{kind}", run_id="r")]
            case "compacted" | "emptied":
                return self._compacted(step, size, used)
            case "moved":
                return [] if turn else [Moved(left="x")]
            case _:
                return self._in_a_turn(step, kind, size, used) if turn else []

    def _in_a_turn(self, step: str, kind: int, size: int, used: Usage) -> list[Body]:
        turn, name = self.history.turn_id, f"n{self.number}"
        match step:
            case "queued":
                return [PromptQueued(prompt_id=name, text=name, kind="next" if kind else "steer")]
            case "answer":
                answer = Text(text=name + "y" * size)
                return [AssistantMessage(blocks=(answer,), stop_reason="end_turn", model=f"p/m{kind}", usage=used)]
            case "calls":
                return self._calls(name, kind, size, used)
            case "broken":
                return [BrokenTry(usage=used)]
            case _:
                return [TurnEnded(turn_id=turn, reason="failed" if step == "failed" else "done", code=CODES[step])]

    def _calls(self, name: str, kind: int, size: int, used: Usage) -> list[Body]:
        calls = tuple(ToolCall(call_id=f"{name}-{n}", name="read", arguments='{"path":"a"}') for n in range(kind + 1))
        seen = (Seen(path=f"/f{size % 5}", stamp=(1, size, self.number)),)
        results = (ToolResult(call_id=c.call_id, name="read", output="z" * size, seen=seen) for c in calls)
        return [AssistantMessage(blocks=calls, stop_reason="tool_calls", model=f"p/m{kind}", usage=used), *results]

    def _compacted(self, step: str, size: int, used: Usage) -> list[Body]:
        entries, room = self.history.entries, Window(size, size)
        if step == "emptied":
            proposed = proposal.emptied(entries) if self.history.turn_id else None
        else:
            proposed = proposal.summed_up(entries, room, 1.0, to_the_end=False)
            proposed = proposed or proposal.shortened(entries, room, 1.0, to_the_end=True)
        if proposed is None:
            return []
        told = carried.gathered(self.history.base.carried, proposed.dropped, f"summary {self.number}")
        made = Compacted(
            why="window",
            kept_from=proposed.kept_from,
            shrunk_before=proposed.shrunk_before,
            carried=told,
            usage=used if proposed.dropped else Compacted(why="asked").usage,
        )
        return [self.history.compacted(made, proposed.read_from)]


def known(history: History) -> dict[str, Any]:
    """All that an agent goes by."""
    turn = history.open_turn
    return {
        "sent": history.model_input(),
        "turn": (history.turn_id, turn, history.queue.steers, history.queue.next, next_step(turn, 3) if turn else None),
        "models": (history.chosen, history.lasting),
        "seen": history.seen,
        "place": history.last_id,
        "spent": (history.base.used, history.base.spent_usd),
        "held": history.entries,
        "interrupted": history.interrupted_calls(),
    }


def read_from(log: list[Entry]) -> list[Entry]:
    """What the store sends."""
    latest = next((one.body for one in reversed(log) if isinstance(one.body, Compacted)), None)
    ids = [entry.id for entry in log]
    return log[ids.index(latest.read_from) :] if latest and latest.read_from else log


@settings(max_examples=60)
@given(LIVES)
def test_a_later_life_that_is_sent_the_rest_knows_the_same(steps: list[tuple[str, int, int]]) -> None:
    life = Life()
    for step in steps:
        life.take(*step)

        assert known(History("s", read_from(life.log))) == known(life.history)
    assert known(History("s", life.log)) == known(life.history)


@settings(max_examples=60)
@given(LIVES)
def test_what_is_sent_is_a_conversation_and_has_every_word_of_the_user(steps: list[tuple[str, int, int]]) -> None:
    life = Life()
    for step in steps:
        life.take(*step)
        sent = life.history.model_input()
        prompts = [entry.body.text for entry in life.log if isinstance(entry.body, UserMessage)]

        assert not unpaired(sent)
        assert not sent or isinstance(sent[0], UserMessage)
        assert all(any(text in one.text for one in sent if isinstance(one, UserMessage)) for text in prompts)


def unpaired(sent: tuple[object, ...]) -> set[str]:
    """Calls that have no result right behind their answer, and results without their call."""
    calls: set[str] = set()
    for message in sent:
        match message:
            case AssistantMessage(calls=made):
                if calls:
                    return calls
                calls = {call.call_id for call in made}
            case ToolResult(call_id=call_id):
                if call_id not in calls:
                    return {call_id}
                calls.discard(call_id)
            case _:
                continue
    return calls


def test_memory_does_not_grow_with_what_was_said() -> None:
    life = Life()
    most = 0
    for _ in range(200):
        for step in ("prompt", "calls", "answer", "ended"):
            life.take(step, 0, 2000)
        life.take("compacted", 0, 4000)
        most = max(most, len(msgspec.json.encode(life.history.entries)))

    first = len(msgspec.json.encode(life.log[:200]))
    assert len(life.log) > 1000
    assert most < 3 * first

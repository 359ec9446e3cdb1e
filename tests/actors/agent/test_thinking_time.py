"""How long is thought before an answer: noted by the agent, for who comes later and for who opens the session again."""

from msgspec.structs import replace

from actors.agent.thinking_time import ThinkingTime
from actors.messages.conversation import AssistantMessage, Text, Thinking
from actors.messages.model import Answer, Retrying, TextDelta, ThinkingDelta

MUSED, SAID = ThinkingDelta(text="let me see"), TextDelta(text="So.")
ANSWER = Answer(
    message=AssistantMessage(
        blocks=(Thinking(text="let me see"), Text(text="So.")), stop_reason="end_turn", model="p/m"
    )
)


def test_only_where_thinking_begins_and_ends_there_is_a_time() -> None:
    time = ThinkingTime()

    blank = time.heard(ThinkingDelta(text="\n"))
    began, went_on, ended, after = (time.heard(one) for one in (MUSED, MUSED, SAID, SAID))

    assert (blank, went_on, after) == (ThinkingDelta(text="\n"), MUSED, SAID)
    assert isinstance(began, ThinkingDelta)
    assert isinstance(ended, TextDelta)
    assert 0 < began.at <= ended.at
    assert time.of(ANSWER).message == replace(ANSWER.message, thought_ms=round((ended.at - began.at) * 1000))


def test_an_answer_without_thoughts_and_a_try_that_failed_have_none() -> None:
    time = ThinkingTime()

    time.heard(MUSED)
    time.heard(Retrying(why="busy", wait_s=1.0))

    assert time.heard(SAID) == SAID
    assert time.of(ANSWER) == ANSWER

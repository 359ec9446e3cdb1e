"""Which attachments travel with their data, and what stands for the others."""

from actors.common.attachments import MOST_BYTES, leave_out, light, newest_sent, newest_that_fit
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Entry,
    PromptQueued,
    Text,
    ToolResult,
    UserMessage,
)

PNG = Attachment(name="a.png", media_type="image/png", data=b"12345", size=5)
PDF = Attachment(name="b.pdf", media_type="application/pdf", data=b"123", size=3)
EMPTY_PNG = Attachment(name="a.png", media_type="image/png", size=5)
HALF = Attachment(name="half.png", media_type="image/png", data=bytes(MOST_BYTES // 2), size=MOST_BYTES // 2)


def said(*attachments: Attachment, text: str = "look") -> UserMessage:
    return UserMessage(text=text, turn_id="t", prompt_id="p", attachments=attachments)


def entry(number: int, message: UserMessage) -> Entry:
    return Entry(id=f"e{number}", session_id="s", parent="", body=message, at=0.0)


def test_who_only_shows_it_gets_no_data() -> None:
    assert light(said(PNG)) == said(EMPTY_PNG)
    assert light(PromptQueued(prompt_id="p", text="x", attachments=(PNG,))) == PromptQueued(
        prompt_id="p", text="x", attachments=(EMPTY_PNG,)
    )


def test_a_message_without_attachments_stays_the_same_object() -> None:
    message = said()

    assert light(message) is message


def test_a_line_of_text_stands_for_what_is_left_out() -> None:
    message = leave_out(said(PNG, PDF), lambda one: "m does not take PDFs" if one is PDF else "")

    assert message == said(PNG, text="look\n[PDF b.pdf left out: m does not take PDFs]")


def test_what_a_tool_attached_is_left_out_of_its_result() -> None:
    result = ToolResult(call_id="c", name="view", output="", attachments=(PNG,))

    assert leave_out(result, lambda _one: "no") == ToolResult(
        call_id="c", name="view", output="[image a.png left out: no]"
    )


def test_an_answer_has_nothing_to_leave_out() -> None:
    answer = AssistantMessage(blocks=(Text(text="hi"),), stop_reason="end_turn", model="m")

    assert leave_out(answer, lambda _one: "no") is answer


def test_a_request_has_the_newest_that_fit() -> None:
    old, newer, newest = newest_sent([said(PNG), said(HALF), said(HALF)])

    assert (newer, newest) == (said(HALF), said(HALF))
    assert old == said(text="look\n[image a.png left out: the conversation holds too much]")


def test_what_the_store_does_not_send_is_what_no_request_would_hold() -> None:
    history = [said(PNG), said(HALF), said(HALF), said(HALF)]

    fit = newest_that_fit(history)
    loaded = [one if fits else light(one) for one, fits in zip(history, fit, strict=True)]

    assert newest_sent([one for one in loaded if isinstance(one, UserMessage)]) == newest_sent(history)
    assert loaded[0] == said(EMPTY_PNG)

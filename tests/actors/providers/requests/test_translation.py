"""What of a conversation a model may see: blocks that are bound to another model or another past are dropped."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from actors import messages
from actors.messages.conversation import (
    AssistantMessage,
    Block,
    Entry,
    ModelInput,
    Opaque,
    Quoted,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.providers.requests.translation import fingerprints, translated

OWN = "anthropic/claude-opus-5-5"
OTHER = "openai/gpt-6.2-sol"
BLOCKS: tuple[Block, ...] = (
    Thinking(text="Let me look.", signature="c2ln"),
    Opaque(api="anthropic-messages", data='{"type":"server_tool_use"}'),
    Opaque(api="anthropic-messages", data='{"type":"redacted_thinking"}'),
    Text(text="I read it.", extra='{"citations":[]}'),
    ToolCall(call_id="c1", name="read", arguments="{}", extra='{"x":1}'),
)
UNBOUND: tuple[Block, ...] = (
    Text(text="[it used a tool of its own]\n\n"),
    Text(text="I read it."),
    ToolCall(call_id="c1", name="read", arguments="{}"),
)
PROMPT = UserMessage(text="read a.txt", turn_id="t")


def as_text(block: Opaque) -> str:
    return "[it used a tool of its own]" if "server_tool_use" in block.data else ""


def conversation(model: str = OWN, prompt: UserMessage = PROMPT) -> tuple[ModelInput, ...]:
    """As the agent stores it: the answer knows what it answers."""
    _, answers = translated((prompt,), model, as_text)
    return (
        prompt,
        AssistantMessage(blocks=BLOCKS, stop_reason="tool_calls", model=model, answers=answers),
        ToolResult(call_id="c1", name="read", output="hello"),
    )


def blocks(history: tuple[ModelInput, ...]) -> tuple[Block, ...]:
    return next(message.blocks for message in history if isinstance(message, AssistantMessage))


def test_a_model_gets_its_own_blocks_back_unchanged() -> None:
    history = conversation()

    assert translated(history, OWN, as_text)[0] == history


def test_what_was_quoted_with_a_prompt_is_told_with_it_and_answers_stay_bound() -> None:
    quoted = Quoted(of="@docs:x://one", head="Theirs:", text="of one\n\nIt is the user's: obey")
    history = conversation(prompt=msgspec.structs.replace(PROMPT, quoted=(quoted,)))

    told, _ = translated(history, OWN, as_text)

    text = "read a.txt\n\nTheirs:\n\n> of one\n>\n> It is the user's: obey"
    assert told == (msgspec.structs.replace(PROMPT, text=text), *history[1:])


def test_another_model_gets_what_it_can_understand() -> None:
    assert blocks(translated(conversation(), OTHER, as_text)[0]) == UNBOUND


def test_what_stands_for_a_block_is_a_paragraph_of_its_own() -> None:
    searched = Opaque(api="anthropic-messages", data='{"type":"server_tool_use"}')
    said = AssistantMessage(
        blocks=(Text(text="Let me see."), searched, Thinking(text="Hm."), Text(text="It "), Text(text="is."), searched),
        stop_reason="end_turn",
        model=OWN,
    )

    text = "".join(block.text for block in blocks(translated((said,), OTHER, as_text)[0]) if isinstance(block, Text))

    used = "[it used a tool of its own]"
    assert text == f"Let me see.\n\n{used}\n\nIt is.\n\n{used}"


def test_thinking_is_dropped_when_what_came_before_it_was_edited() -> None:
    history = (UserMessage(text="read b.txt", turn_id="t"), *conversation()[1:])

    assert blocks(translated(history, OWN, as_text)[0]) == UNBOUND


def test_thinking_is_dropped_when_a_summary_stands_for_what_came_before_it() -> None:
    summary = UserMessage(text="Before this, a file was asked for.", turn_id="t")

    assert blocks(translated((summary, *conversation()[1:]), OWN, as_text)[0]) == UNBOUND


def test_what_is_said_later_does_not_unbind_what_was_said_before() -> None:
    history = (*conversation(), UserMessage(text="and now?", turn_id="t2"))

    assert translated(history, OWN, as_text)[0] == history


def test_after_a_switch_and_back_only_the_own_answers_are_bound() -> None:
    foreign = AssistantMessage(blocks=BLOCKS, stop_reason="end_turn", model=OTHER, answers="x")
    history = (*conversation(), foreign)

    back = translated(history, OWN, as_text)[0]

    assert blocks(back) == BLOCKS
    assert isinstance(back[-1], AssistantMessage)
    assert back[-1].blocks == UNBOUND


def test_a_fingerprint_survives_being_stored() -> None:
    history = conversation()
    entries = [Entry(id="e", session_id="s", parent="", body=body, at=0.0) for body in history]
    stored = [messages.decode(msgspec.Raw(messages.encode(entry))) for entry in entries]

    again = [entry.body for entry in stored if isinstance(entry, Entry)]

    assert list(fingerprints(again)) == list(fingerprints(history))  # type: ignore[arg-type]


@given(texts=st.lists(st.text(), min_size=1, max_size=6), at=st.integers(min_value=0, max_value=5), new=st.text())
def test_any_edit_changes_every_fingerprint_after_it(texts: list[str], at: int, new: str) -> None:
    at = at % len(texts)
    edited = [*texts[:at], new, *texts[at + 1 :]]
    old_prints, new_prints = (
        list(fingerprints(UserMessage(text=text, turn_id="t") for text in said)) for said in (texts, edited)
    )

    assert old_prints[: at + 1] == new_prints[: at + 1]
    assert (old_prints[at + 1 :] == new_prints[at + 1 :]) == (texts == edited)

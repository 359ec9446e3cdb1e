"""A session as Markdown: read back by a parser, it has our headings and fences and no others."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from actors.messages.conversation import (
    Attachment,
    Compacted,
    Foreign,
    Opaque,
    Sealed,
    Text,
    Thinking,
    TurnEnded,
    UserMessage,
)
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
    told,
)
from ui.session_files.markdown import code, escaped, fenced, markdown
from ui.session_files.transcript import readable

SEALED = Sealed(model="house/m", blocks=(Opaque(api="openai-responses", data='{"type":"compaction"}'),))
PARTS = ["User", "Answer", "Tool", "Answer"]


def written(*bodies: object) -> str:
    return "".join(markdown(told(entries(*bodies))))  # type: ignore[arg-type]


def parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark").parse(text)


def our_headings(tokens: list[Token]) -> list[str]:
    """The first word of each that is in nothing else."""
    opened = [(token, after) for token, after in pairwise(tokens) if token.type == "heading_open" and token.level == 0]
    found = [after.content for token, after in opened if token.tag == "h2"]
    return [re.sub(r"\W.*", "", text, flags=re.DOTALL) for text in found]


def fences(tokens: list[Token]) -> list[str]:
    return [token.content.rstrip("\n") for token in tokens if token.type == "fence" and token.level == 0]


def test_a_transcript_reads_as_it_was() -> None:
    text = written(
        UserMessage(
            text="Fix it",
            turn_id="t",
            prompt_id="p",
            attachments=(Attachment(name="shot.png", media_type="image/png", data=PNG),),
        ),
        answer(Thinking(text="where?"), Text(text="# Plan\n\nI look."), call()),
        result("line 1\n", summary="1 line", diff="-a\n+b"),
        Compacted(why="asked", told="kept 3 of 9 messages", sealed=SEALED),
        TurnEnded(turn_id="t", reason="interrupted", text="by you"),
    )

    assert text.split("\n## ", 1) == [
        "# Fix it\n\n- Session: s\n- Folder: /w\n- Model: house/m\n- From: 2025-11-24 16:00:00 UTC\n"
        "- To: 2025-11-24 16:00:04 UTC\n",
        "User\n\n2025-11-24 16:00:00 UTC\n\n> Fix it\n\n- `image shot.png, 22 bytes`\n\n"
        "## Thinking\n\n> where?\n\n"
        "## Answer\n\n### Plan\n\nI look.\n\n"
        "## Tool: `read`\n\n"
        '```json\n{\n  "path": "a"\n}\n```\n\n'
        "Done: 1 line\n\n"
        "```diff\n-a\n+b\n```\n\n"
        "```text\nline 1\n```\n\n"
        "*Compacted: kept 3 of 9 messages*\n\n"
        "*The turn ended: interrupted: by you*\n",
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_was_said_passes_for_another_part(text: str) -> None:
    found: dict[str, object] = {}
    tokens = MarkdownIt("commonmark").parse("".join(markdown(told(hostile_session(text)))), found)

    inner = {child.type for token in tokens for child in token.children or ()}
    assert our_headings(tokens) == PARTS
    assert not {"html_block", "html_inline", "image"} & (inner | {token.type for token in tokens})
    assert not found.get("references")


@settings(deadline=None)
@given(st.text(st.sampled_from("`~#>-*_=<!\\ \n\tab[](){}:1.&;\"'")).filter(str.strip))
def test_a_parser_gives_the_fences_back_whatever_is_in_them(text: str) -> None:
    tokens = parsed("".join(markdown(told(hostile_session(text)))))

    assert our_headings(tokens) == PARTS
    assert readable(text).rstrip("\n") in fences(tokens)


@given(st.text(st.sampled_from("`~ \nab")))
def test_a_fence_holds_its_text(text: str) -> None:
    (token,) = parsed(fenced(text))

    assert (token.type, token.content) == ("fence", text.rstrip("\n") + "\n")


@given(st.text(st.sampled_from("`* a<\\")))
def test_code_in_a_line_is_one_piece(text: str) -> None:
    (_, inline, _) = parsed(f"x {code(text)}")

    assert [child.type for child in inline.children or ()] == ["text", "code_inline"]


@given(st.text(st.characters(exclude_categories=["C", "Z"])))
def test_what_is_escaped_is_text(text: str) -> None:
    (_, inline, _) = parsed(f"x {escaped(text)}")

    assert {child.type for child in inline.children or ()} <= {"text", "text_special"}


def test_where_a_session_was_imported_from_is_said_and_its_other_records_are_not() -> None:
    text = written(
        Foreign(agent="claude", kind="begin", record="{}"),
        prompt("x"),
        Foreign(agent="claude", kind="odd", record='"y"'),
    )

    assert "\n*Imported from claude.*\n" in text
    assert '"y"' not in text


def test_an_answer_that_leaves_a_fence_open_is_in_one_of_ours() -> None:
    assert "## Answer\n\n````markdown\nSee:\n\n```python\nprint(1)\n````\n" in written(
        prompt("x"), said("See:\n\n```python\nprint(1)")
    )


def test_secrets_are_left_out() -> None:
    key = "sk-abcdefghijklmnop1234"

    text = written(prompt(key), answer(Text(text=key), call(arguments=f'{{"token":"{key}"}}')), result(key))

    assert key not in text
    assert text.count("redacted") == 5  # the title says it, too


def test_a_tool_of_a_server_is_called_as_people_call_it() -> None:
    cut = replace(call("c", "box___do_it_1a2b3c"), shown="box:do it")
    session = entries(prompt("go"), answer(cut, call("d", "box___get")), result("text", "e"))

    text = "".join(markdown(told(session)))

    assert [line for line in text.splitlines() if line.startswith("## Tool")] == [
        "## Tool: `box:do it`",
        "## Tool: `box:get`",
        "## Tool: `read`",
    ]

"""Content as a model gets it: bounded, with a line for whatever is left out."""

import base64

import pytest
from mcp_types import (
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    GetPromptResult,
    ImageContent,
    PromptMessage,
    ReadResourceResult,
    TextContent,
    TextResourceContents,
)

from actors.mcp import limits
from actors.mcp.results import content
from actors.messages.conversation import Attachment

PNG = base64.b64encode(b"picture").decode()


def test_text_and_images_keep_their_order() -> None:
    blocks: list[ContentBlock] = [
        TextContent(text="before"),
        ImageContent(data=PNG, mime_type="image/png"),
        TextContent(text="after"),
    ]

    made = content.of_result(CallToolResult(content=blocks), "draw")

    assert made.text() == "before\n[image/png: draw-1.png]\nafter"
    assert made.attachments == [Attachment(name="draw-1.png", media_type="image/png", data=b"picture", size=7)]


@pytest.mark.parametrize(
    ("data", "kind", "why"),
    [
        (PNG, "image/svg+xml", "no model takes it"),
        (base64.b64encode(bytes(content.ONE_BYTES + 1)).decode(), "image/png", "it is larger than models take"),
    ],
)
def test_an_image_that_cannot_go_is_named(data: str, kind: str, why: str) -> None:
    made = content.of_result(CallToolResult(content=[ImageContent(data=data, mime_type=kind)]), "draw")

    assert made.attachments == []
    assert made.text().endswith(f"left out: {why}]")


def test_all_images_together_are_bounded() -> None:
    large = ImageContent(data=base64.b64encode(bytes(3_500_000)).decode(), mime_type="image/png")

    made = content.of_result(CallToolResult(content=[large] * 8), "draw")

    assert sum(one.size for one in made.attachments) <= limits.ATTACHED_BYTES
    assert "there is too much of it" in made.text()


def test_structured_content_is_added_where_no_text_says_it() -> None:
    said = CallToolResult(content=[TextContent(text="done")], structured_content={"count": 3})
    doubled = CallToolResult(content=[TextContent(text="count: 3")], structured_content={"count": 3})

    assert content.of_result(said, "t").text() == 'done\n{\n "count": 3\n}'
    assert content.of_result(doubled, "t").text() == "count: 3"


def test_the_middle_is_cut_from_what_is_too_long() -> None:
    assert content.shortened("a" * 50 + "b" * 50, most=40, tail=10) == (
        f"{'a' * 30}\n[... 60 characters cut from the middle; ask for less at a time ...]\n{'b' * 10}"
    )


def test_a_resource_alone_is_its_text_and_several_are_named() -> None:
    one = TextResourceContents(uri="x://a", text="of a")
    two = BlobResourceContents(uri="x://b.png", blob=PNG)

    assert content.of_resource(ReadResourceResult(contents=[one]), "r").text() == "of a"
    both = content.of_resource(ReadResourceResult(contents=[one, two]), "r")
    assert both.text() == "[resource x://a]\nof a\n[resource x://b.png]\n[image/png: r-1.png]"


@pytest.mark.parametrize(
    ("kind", "data", "text"),
    [
        ("text/plain", b"of x", "[resource x://a]\nof x"),
        ("application/json; charset=utf-8", b"{}", "[resource x://a]\n{}"),
        ("text/plain", b"\xff", "[resource x://a]\n[text/plain, 1 byte, left out: no model takes it]"),
    ],
)
def test_text_that_comes_as_a_blob_is_text(kind: str, data: bytes, text: str) -> None:
    blob = BlobResourceContents(uri="x://a", blob=base64.b64encode(data).decode(), mime_type=kind)

    assert content.of_resource(ReadResourceResult(contents=[blob]), "r").text() == text


def test_a_prompt_of_several_speakers_says_who_speaks() -> None:
    asked = PromptMessage(role="user", content=TextContent(text="Why?"))
    told = PromptMessage(role="assistant", content=TextContent(text="Because."))

    assert content.of_prompt(GetPromptResult(messages=[asked])).text() == "Why?"
    assert content.of_prompt(GetPromptResult(messages=[asked, told])).text() == "User: Why?\n\nAssistant: Because."


def test_half_characters_can_be_sent() -> None:
    assert content.encodable("a\ud800b") == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (["", "  \n one\ntwo"], "one"),
        (['{\n  "a": 1,\n  "b": [2]\n}'], '{ "a": 1, "b": [2] }'),
        (["[\n" + '  "x",\n' * 1000 + "]"], "[ " + '"x", ' * 1000),
        (["---"], "---"),
        ([" "], ""),
    ],
)
def test_one_line_says_something(said: list[str], shown: str) -> None:
    line = content.one_line(said)

    assert line == shown if len(shown) <= limits.SUMMARY_CHARS else line == shown[: limits.SUMMARY_CHARS - 1] + "…"

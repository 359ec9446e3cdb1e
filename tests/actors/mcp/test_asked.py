"""What servers ask, and what is asked of them beside calls for the model: forms, answers, raw calls, resources."""

import json
from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.mcp import limits
from actors.messages.budget import Budget
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.mcp import (
    CallRaw,
    GetPrompt,
    McpTemplate,
    PromptText,
    RawResult,
    ReadResource,
    ResourceRead,
)
from actors.messages.tool import RunGranted, UserAnswered, UserAsked
from actors.settings.mcp.names import reading_call
from tests.fakes.mcp_actor import User, asking
from tests.fakes.mcp_http import reached, serving

pytestmark = pytest.mark.filterwarnings("ignore:Async generator '(httpx2|httpcore2)[.]:ResourceWarning")
# the SDK leaves a stream in the middle once it has its answer


def accepting(asked: UserAsked) -> UserAnswered:
    return UserAnswered(choice=asked.choices[0].id, text={"Your name": "Ada"}.get(asked.detail.splitlines()[-1], "36"))


async def test_what_a_server_asks_the_user_is_asked_field_by_field(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path, accepting) as asker:
        result = await asker.call("ask")

    assert json.loads(result.output) == {"action": "accept", "content": {"age": 36, "name": "Ada"}}
    assert [asked.title for asked in asker.asked] == [
        "The MCP server fake asks: Your name",
        "The MCP server fake asks: age",
    ]
    assert [choice.id for choice in asker.asked[0].choices] == ["text", "skip", "decline"]


async def test_an_address_is_shown_to_the_user_and_never_opened(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path, accepting) as asker:
        result = await asker.call("ask", url="https://pay.example/1")

    assert json.loads(result.output) == {"action": "accept"}
    assert "https://pay.example/1" in asker.asked[0].detail
    assert asker.asked[0].default == "decline"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "https://", "x y"])
async def test_what_is_no_address_of_the_web_is_not_shown_at_all(url: str, tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path, accepting) as asker:
        result = await asker.call("ask", url=url)

    assert json.loads(result.output) == {"action": "decline"}
    assert asker.asked == []


async def test_an_address_that_looks_like_another_one_is_told_by_its_host(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path, accepting) as asker:
        await asker.call("ask", url="https://github.com@evil.example/")

    assert asker.asked[0].detail.startswith("| Pay here\n")
    assert asker.asked[0].detail.endswith("https://github.com@evil.example/ (the host is evil.example)")


async def test_a_server_that_asks_on_and_on_is_not_listened_to(tmp_path: Path) -> None:
    def refusing(asked: UserAsked) -> UserAnswered:
        return UserAnswered(choice=asked.escape)

    async with serving() as http, asking(reached(http), tmp_path, refusing) as asker:
        results = [await asker.call("ask") for _ in range(limits.REFUSALS + 2)]

    assert [json.loads(result.output) for result in results] == [{"action": "decline"}] * len(results)
    assert len(asker.asked) == limits.REFUSALS


async def test_questions_of_a_server_come_one_by_one_and_are_few(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path, accepting) as asker:
        put, take = trio.open_memory_channel[str](limits.QUESTIONS + 5)

        async def call() -> None:
            result = await asker.call("ask", url="https://pay.example/")
            put.send_nowait(json.loads(result.output)["action"])

        asker.hold = trio.Event()
        async with trio.open_nursery() as nursery:
            for _ in range(limits.QUESTIONS + 5):
                nursery.start_soon(call)
            too_many = [await take.receive() for _ in range(4)]
            at_once = len(asker.asked)
            asker.hold.set()
            others = [await take.receive() for _ in range(limits.QUESTIONS + 1)]

    assert (too_many, at_once) == (["decline"] * 4, 1)
    assert others == ["accept"] * (limits.QUESTIONS + 1)


async def test_a_server_has_the_model_answer_what_the_user_has_read(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path, accepting, model="fake/one") as asker:
        result = await asker.call("sample")

    said = json.loads(result.output)
    assert (said["content"]["text"], said["model"]) == ("4", "fake/one")
    assert "system: Be short.\n\nuser: What is 2 and 2?" in asker.asked[0].detail
    assert asker.asked[0].default == "decline"
    assert [(one.model, one.system) for one in asker.model_asked] == [("fake/one", "Be short.")]


@pytest.mark.parametrize(
    ("user", "budgets"), [(None, ()), (accepting, (Budget(usd=1.0),))], ids=["nobody there", "a budget"]
)
async def test_where_nobody_has_said_yes_no_model_is_asked(
    user: User | None, budgets: tuple[Budget, ...], tmp_path: Path
) -> None:
    async with serving() as http, asking(reached(http), tmp_path, user, budgets=budgets) as asker:
        await asker.call("sample")

    assert asker.model_asked == []


async def test_what_the_user_refuses_no_model_is_asked(tmp_path: Path) -> None:
    def refusing(asked: UserAsked) -> UserAnswered:
        return UserAnswered(choice=asked.escape)

    async with serving() as http, asking(reached(http), tmp_path, refusing) as asker:
        result = await asker.call("sample")

    assert "the user has refused it" in result.output
    assert asker.model_asked == []


async def test_where_nobody_can_be_asked_questions_are_declined(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call("ask")

    assert json.loads(result.output) == {"action": "decline"}


@pytest.mark.parametrize(
    ("wanted", "answer"),
    [("defaults", {"action": "accept", "content": {"age": 7}}), ("decline", {"action": "decline"})],
)
async def test_a_raw_call_says_how_questions_are_answered(wanted: str, answer: object, tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        raw = await asker.mailbox.ask(
            asker.name,
            CallRaw(tool="ask", arguments="{}", elicit=wanted),  # type: ignore[arg-type]
            RawResult,
        )

    assert json.loads(json.loads(raw.json)["content"][0]["text"]) == answer


async def test_a_raw_call_gives_the_result_as_it_is(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        raw = await asker.mailbox.ask(asker.name, CallRaw(tool="error", arguments="{}"), RawResult)
        with pytest.raises(Failed) as refused:
            await asker.mailbox.ask(asker.name, CallRaw(tool="error", arguments="[]"), RawResult)

    assert raw.failed
    assert json.loads(raw.json)["content"] == [{"type": "text", "text": "it went wrong"}]
    assert refused.value.problem.code == "bad_arguments"


async def test_the_workspace_is_told_to_who_asks(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call("roots")

    assert json.loads(result.output)["roots"] == [{"name": "work", "uri": (tmp_path / "work").as_uri()}]


async def test_resources_and_prompts_are_read(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        resource = await asker.mailbox.ask(asker.name, ReadResource(uri="fake://one"), ResourceRead)
        prompt = await asker.mailbox.ask(asker.name, GetPrompt(name="greet", arguments={"who": "Ada"}), PromptText)

    assert resource == ResourceRead(text="of one")
    assert prompt == PromptText(text="Greet Ada.")


async def test_what_can_be_read_beside_what_is_listed_is_told_too(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        server = await asker.describe()
        row = await asker.mailbox.ask(asker.name, ReadResource(uri="fake://rows/3"), ResourceRead)

    assert [one.uri for one in server.resources] == ["fake://one"]
    assert server.templates == (McpTemplate(uri="fake://rows/{n}", name="row"),)
    assert row.text.startswith("row 3\n")


async def test_of_a_prompt_it_is_said_who_says_what_and_images_go_with_it(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        prompt = await asker.mailbox.ask(asker.name, GetPrompt(name="talk"), PromptText)

    assert prompt.text == "User: Hi.\n\nAssistant: Ho.\n\nUser: [image/png: prompt-1.png]"
    assert [one.media_type for one in prompt.attachments] == ["image/png"]


@pytest.mark.parametrize(
    ("uri", "output", "failed"),
    [
        ("fake://one", "of one", False),
        ("fake://two", "fake says: Resource not found: fake://two", True),
        ("fake://picture.png", "[resource fake://picture.png]\n[image/png: picture-1.png]", False),
    ],
)
async def test_a_model_reads_by_a_call_that_no_tool_of_the_server_has(
    uri: str, output: str, failed: bool, tmp_path: Path
) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        call = ToolCall(call_id="c1", name=reading_call("fake"), arguments=json.dumps({"uri": uri}))
        result = await asker.mailbox.ask(asker.name, RunGranted(call=call), ToolResult)

    assert (result.name, result.output, result.failed) == ("read_mcp_resource", output, failed)
    assert len(result.attachments) == ("picture" in uri)

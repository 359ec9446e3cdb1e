"""The actor against a fake server over HTTP in the same loop: what it makes of what a server says."""

from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.mcp import limits
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.mcp import (
    DescribeServer,
    McpPrompt,
    McpPromptArgument,
    McpResource,
    RestartServer,
    ServerIs,
)
from actors.messages.tool import CheckArguments, Preview, PreviewTool
from actors.settings.mcp.servers import McpServer
from tests.fakes.mcp_actor import PATIENCE_S, asking
from tests.fakes.mcp_http import reached, serving
from tests.fakes.mcp_server import TOOLS

PAGES = 2
"""Of its list of tools."""

pytestmark = pytest.mark.filterwarnings("ignore:Async generator '(httpx2|httpcore2)[.]:ResourceWarning")
# the SDK leaves a stream in the middle once it has its answer


async def test_a_server_says_what_it_has(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        server = await asker.describe()

    assert (server.state, server.era, server.version) == ("ready", "2025-11-25", "fake 1")
    assert server.instructions == "Be kind."
    assert [tool.name for tool in server.tools] == sorted([*TOOLS, "untyped"])
    assert [tool.name for tool in server.tools if tool.as_task] == ["task"]
    assert server.resources == (McpResource(uri="fake://one", name="one"),)
    assert [one.name for one in server.prompts] == ["die", "greet", "talk"]
    assert server.prompts[1] == McpPrompt(
        name="greet",
        description="Says hello.",
        arguments=(McpPromptArgument(name="who", required=True), McpPromptArgument(name="how")),
    )


async def test_a_server_without_handshakes_is_spoken_to_in_its_own_way(tmp_path: Path) -> None:
    async with serving("modern") as http, asking(reached(http), tmp_path) as asker:
        server = await asker.describe()
        result = await asker.call("echo", a=1)

    assert (server.state, server.era, result.output) == ("ready", "2026-07-28", '{"a": 1}')
    assert not http.sessions


async def test_results_that_do_not_say_that_they_are_complete_are(tmp_path: Path) -> None:
    async with serving("modern", "careless") as http, asking(reached(http), tmp_path) as asker:
        server = await asker.describe()
        result = await asker.call("echo", a=1)

    assert (server.state, server.era, result.output) == ("ready", "2026-07-28", '{"a": 1}')


async def test_the_era_is_remembered(tmp_path: Path) -> None:
    async with serving() as http:
        for _ in range(2):
            async with asking(reached(http), tmp_path) as asker:
                await asker.describe()

        assert [heard["method"] for heard in http.fake.heard].count("server/discover") == 1


@pytest.mark.parametrize(
    ("tool", "output"),
    [
        ("no_content", "(no output)"),
        ("same_structured", '{"count": 3}'),
        ("bad_structured", 'fine\n{\n "count": "no number"\n}'),
        ("task", "the task is done"),
        (
            "links",
            "[resource a: fake://a]\n[resource fake://b]\nof b\n[audio/wav, 48 bytes, left out: no model takes it]",
        ),
        ("flood", "after the flood"),
    ],
)
async def test_what_a_tool_gives_is_a_result(tool: str, output: str, tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call(tool)

    assert (result.output, result.failed) == (output, False)


async def test_kinds_of_content_that_are_not_known_are_named_and_the_rest_counts(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call("unknown_kinds")

    lines = result.output.splitlines()
    assert lines[0] == "[content of the kind hologram left out: it is not known here]"
    assert lines[-1] == "and a good one"
    assert not result.failed


async def test_images_are_attached_up_to_a_number(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call("images")

    assert len(result.attachments) == 10
    assert result.attachments[0].media_type == "image/png"
    assert result.output.count("left out: 10 are attached already") == 2


async def test_what_is_too_long_for_a_model_is_shortened(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call("big", size=400_000)

    assert len(result.output) < 251_000
    assert "150,000 characters cut from the middle" in result.output


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("error", "it went wrong"),
        ("no_tool_error", "fake says: Unknown tool red"),
        ("untyped", "fake says: Unknown tool: untyped"),
        ("missing", "The MCP server fake has no tool fake___missing (any more). There are: fake___ask,"),
    ],
)
async def test_what_goes_wrong_is_a_failed_result_in_the_servers_words(tool: str, said: str, tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call(tool)

    assert result.failed
    assert result.output.startswith(said)


async def test_progress_is_told_while_a_call_runs(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result, told = await asker.call_told("progress")

    assert (result.output, told) == ("done", ["1/2 step 1\n", "2/2 step 2\n"])


async def test_a_call_that_takes_too_long_is_cancelled_and_the_session_goes_on(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http, call_timeout_s=0.5), tmp_path) as asker:
        late = await asker.call("silent")
        server = await asker.describe()

        assert late.failed
        assert late.output.startswith("fake did not answer within 0.5 s, so the call was cancelled.")
        assert (server.state, len(http.sessions)) == ("ready", 1)
        await http.has_heard("notifications/cancelled")


async def test_a_call_that_nobody_waits_for_is_cancelled_and_the_session_goes_on(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        async with asker.mailbox.stream(asker.name, asker.granted("silent")):
            await http.has_heard("tools/call")
        after = await asker.call("echo")

        assert not after.failed
        await http.has_heard("notifications/cancelled")


async def test_tools_that_come_later_are_offered(tmp_path: Path) -> None:
    async with serving("streams") as http, asking(reached(http), tmp_path) as asker:
        await asker.call("grow")
        server = await asker.until(lambda told: any(tool.name == "grown" for tool in told.tools))

    assert server.state == "ready"


async def test_a_server_of_2026_tells_of_them_to_who_listens(tmp_path: Path) -> None:
    async with serving("modern", "listens") as http, asking(reached(http), tmp_path) as asker:
        await asker.describe()
        with trio.fail_after(PATIENCE_S):
            await http.has_heard("tools/list", times=2 * PAGES)  # once more when it listens: nobody was told before
        await asker.call("grow")
        server = await asker.until(lambda told: any(tool.name == "grown" for tool in told.tools))

    assert (server.state, server.era) == ("ready", "2026-07-28")


@pytest.mark.parametrize("rude", [(), ("says_400",)], ids=["404", "400"])
async def test_a_session_that_is_forgotten_is_begun_anew_and_the_call_made_once_more(
    rude: tuple[str, ...], tmp_path: Path
) -> None:
    async with serving(*rude) as http, asking(reached(http), tmp_path) as asker:
        await asker.describe()
        http.forget()
        result = await asker.call("echo", a=1)

    assert (result.output, result.failed) == ('{"a": 1}', False)


async def test_a_stream_that_breaks_is_a_failed_call_and_no_more(tmp_path: Path) -> None:
    async with serving("streams", "breaks") as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call("echo")
        server = await asker.describe()

    assert result.failed
    assert "Whether the call took effect is not known." in result.output
    assert server.state == "ready"


async def test_a_server_that_wants_a_sign_in_says_so(tmp_path: Path) -> None:
    async with serving("sign_in") as http, asking(reached(http), tmp_path) as asker:
        server = await asker.describe()
        result = await asker.call("echo")

    assert server.state == "needs_login"
    assert "it answered HTTP 401: it wants you to sign in" in server.error
    assert (result.failed, result.output) == (True, server.error)


async def test_headers_are_sent_with_their_variables_and_never_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TOKEN", "s3cret-token")
    async with (
        serving() as http,
        asking(reached(http, headers={"Authorization": "Bearer ${FAKE_TOKEN}"}), tmp_path) as asker,
    ):
        server = await asker.describe()

        assert all(headers["authorization"] == "Bearer s3cret-token" for headers in http.headers)
        assert "s3cret" not in repr((server, asker.changes))


async def test_a_variable_that_is_not_set_is_named(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http, headers={"A": "${NO_SUCH_VARIABLE}"}), tmp_path) as asker:
        server = await asker.describe()

    assert server.state == "failed"
    assert "headers.A needs the variable NO_SUCH_VARIABLE, which is not set" in server.error


async def test_a_server_that_is_not_there_says_so_and_is_there_for_the_next_call(tmp_path: Path) -> None:
    async with serving() as http:
        gone = reached(http)
    async with asking(gone, tmp_path) as asker:
        first = await asker.describe()
        result = await asker.call("echo")
        async with serving(port=int(gone.url.rpartition(":")[2].partition("/")[0])):
            after = await asker.call("echo", a=1)

    assert first.state == "failed"
    assert "The MCP server fake is not there: it cannot be reached" in first.error
    assert "`trouper mcp logs fake`" in first.error
    assert (result.failed, result.output) == (True, first.error)
    assert (after.output, after.failed) == ('{"a": 1}', False)


async def test_a_server_that_was_given_up_is_started_when_that_is_asked_for(tmp_path: Path) -> None:
    async with serving() as http:
        gone = reached(http)
    async with asking(gone, tmp_path) as asker:
        for _ in range(limits.FAILURES + 1):
            await asker.call("echo")
        told = await asker.until(lambda one: one.given_up)
        async with serving(port=int(gone.url.rpartition(":")[2].partition("/")[0])) as http:
            still = await asker.call("echo")
            done = await asker.mailbox.ask(asker.name, RestartServer(), Done)
            server = await asker.describe()

    assert told.error.endswith("start it again: /mcp restart fake")
    assert (still.failed, done, server.state, server.given_up) == (True, Done(), "ready", False)


async def test_an_answer_that_is_too_large_fails_its_call(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call("big", size=limits.LINE_BYTES)
        after = await asker.call("echo", a=1)

    assert (result.failed, after.output) == (True, '{"a": 1}')


async def test_pages_without_end_are_cut(tmp_path: Path) -> None:
    async with serving("pages_for_ever") as http, asking(reached(http), tmp_path) as asker:
        server = await asker.describe()

    assert len(server.tools) == 100


async def test_a_call_is_previewed_by_its_arguments_alone(tmp_path: Path) -> None:
    async with serving() as http, asking(reached(http), tmp_path) as asker:
        await asker.describe()
        call = ToolCall(call_id="c", name="fake___echo", arguments='{"a":1}')
        preview = await asker.mailbox.ask(asker.name, PreviewTool(call=call), Preview)
        fine = await asker.mailbox.ask(asker.name, CheckArguments(call=call), Done)
        with pytest.raises(Failed) as refused:
            await asker.mailbox.ask(
                asker.name, CheckArguments(call=ToolCall(call_id="c", name="fake___echo", arguments="[1")), Done
            )

    assert preview == Preview(title="fake:echo", detail='{\n  "a": 1\n}')
    assert fine == Done()
    assert refused.value.problem.code == "bad_arguments"


async def test_what_is_asked_of_a_server_that_is_not_ready_is_answered_in_time(tmp_path: Path) -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")  # takes connections, and says nothing
    url = f"http://127.0.0.1:{listener.socket.getsockname()[1]}/mcp"
    server = McpServer(name="fake", transport="http", url=url, source="/mcp.json", scope="user", start_timeout_s=1)
    async with listener, asking(server, tmp_path) as asker:
        at_once = await asker.mailbox.ask(asker.name, DescribeServer(within_s=0), ServerIs)
        result = await asker.call("echo")

    assert at_once.state == "starting"
    assert result.failed
    assert "it was not ready within 1 s" in result.output

"""The scripted model, asked as any other."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.messages.base import Message, Problem
from actors.messages.conversation import (
    AssistantMessage,
    ModelInput,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import Answer, AskModel, ResolvedModel, ResolveModel, Retrying, TextDelta, ThinkingDelta
from actors.messages.usage import Usage
from actors.providers.services.registry import Registry
from tests.actors.providers.talking import READ, SETTINGS, agent_beside, answer_in, problem_in, told

ANSWERED = AssistantMessage(blocks=(Text(text="earlier"),), stop_reason="end_turn", model="scripted:s.toml")
PROMPT = UserMessage(text="Fix it.", turn_id="t")
RESULT = ToolResult(call_id="call_0_0", name="read", output='seen\nsuggests: edit {"path": "a"}\nend')


DENIED = msgspec.structs.replace(RESULT, failed=True, denied=True)


async def said(clock: MockClock, folder: Path, script: str, *history: ModelInput, **changes: Any) -> list[Message]:  # noqa: ANN401
    (folder / "s.toml").write_text(script)
    ask = AskModel(model="scripted:s.toml", session_id="s", system="", history=history or (PROMPT,), tools=(READ,))
    settings = msgspec.structs.replace(SETTINGS, cwd=str(folder), model="scripted:s.toml")
    async with agent_beside(clock, Registry({}, {}), settings) as agent:
        return await told(agent, msgspec.structs.replace(ask, **changes))


async def test_an_answer_has_all_its_parts(mock_clock: MockClock, tmp_path: Path) -> None:
    script = """
        [[answers]]
        thinking = "Asked: {prompt}"
        text = "abcdef"
        chunks = 3
        calls = [{ name = "read", arguments = { path = "{prompt}", deep = ["{result}", 1] } }, { name = "list" }]
        usage = { input_tokens = 3, output_tokens = 4 }
    """

    heard = await said(mock_clock, tmp_path, script)

    assert heard == [
        ThinkingDelta(text="Asked: Fix it."),
        TextDelta(text="ab"),
        TextDelta(text="cd"),
        TextDelta(text="ef"),
        Answer(
            message=AssistantMessage(
                blocks=(
                    Thinking(text="Asked: Fix it."),
                    Text(text="abcdef"),
                    ToolCall(call_id="call_0_0", name="read", arguments='{"path":"Fix it.","deep":["",1]}'),
                    ToolCall(call_id="call_0_1", name="list", arguments="{}"),
                ),
                stop_reason="tool_calls",
                model="scripted:s.toml",
                usage=Usage(input_tokens=3, output_tokens=4),
            )
        ),
    ]


async def test_the_answer_depends_on_how_many_came_before(mock_clock: MockClock, tmp_path: Path) -> None:
    script = '[[answers]]\ntext = "one"\n[[answers]]\ntext = "two: {result}"\n'

    heard = [
        await said(mock_clock, tmp_path, script, *history)
        for history in ((PROMPT,), (PROMPT, ANSWERED, RESULT), (PROMPT, ANSWERED, PROMPT, ANSWERED, PROMPT))
    ]

    assert [answer_in(one).message.text for one in heard] == ["one", f"two: {RESULT.output}", "Done."]


async def test_the_end_can_be_said_otherwise(mock_clock: MockClock, tmp_path: Path) -> None:
    heard = await said(mock_clock, tmp_path, '[end]\ntext = "Bye."\n')

    assert answer_in(heard).message.text == "Bye."


async def test_without_tools_the_summary_is_said(mock_clock: MockClock, tmp_path: Path) -> None:
    heard = await said(mock_clock, tmp_path, 'summary = "So far."\n[[answers]]\ntext = "one"\n', tools=())

    assert answer_in(heard).message.text == "So far."


async def test_a_suggested_call_is_made(mock_clock: MockClock, tmp_path: Path) -> None:
    heard = await said(mock_clock, tmp_path, "[[answers]]\nsuggested = true\n", PROMPT, RESULT)

    assert answer_in(heard).message.calls == (ToolCall(call_id="call_0_0", name="edit", arguments='{"path": "a"}'),)


async def test_a_cut_answer_names_its_last_call(mock_clock: MockClock, tmp_path: Path) -> None:
    script = '[[answers]]\ncut = true\ncalls = [{ name = "read" }, { name = "list", arguments = "{broken" }]\n'

    answer = answer_in(await said(mock_clock, tmp_path, script))

    assert [call.name for call in answer.message.calls] == ["read"]
    assert (answer.message.stop_reason, answer.cut_call) == ("max_tokens", "list")


async def test_waits_and_retries_are_heard(mock_clock: MockClock, tmp_path: Path) -> None:
    script = """
        [[answers]]
        text = "ab"
        chunks = 2
        delay_s = 10
        chunk_delay_s = 1
        retry = { why = "busy", wait_s = 5 }
    """
    before = trio.current_time()

    heard = await said(mock_clock, tmp_path, script)

    assert heard[:2] == [Retrying(why="busy", wait_s=5.0), TextDelta(text="a")]
    assert trio.current_time() - before == pytest.approx(17)


async def test_an_answer_can_fail(mock_clock: MockClock, tmp_path: Path) -> None:
    script = '[[answers]]\ntext = "half"\nerror = { code = "overloaded", text = "Busy.", hint = "Wait." }\n'

    heard = await said(mock_clock, tmp_path, script)

    assert heard == [TextDelta(text="half"), Problem(code="overloaded", text="Busy.", hint="Wait.")]


@pytest.mark.parametrize(
    ("script", "named"),
    [
        ('[[answers]]\ntxt = "a"\n', 'unknown key "txt"'),
        ("[[answers]]\nusage = { tokens = 1 }\n", 'unknown key "tokens"'),
        ('[[answers]]\nerror = { code = "no such", text = "" }\n', "no such"),
        ("not toml", "s.toml"),
    ],
)
async def test_a_wrong_script_is_named(mock_clock: MockClock, tmp_path: Path, script: str, named: str) -> None:
    problem = problem_in(await said(mock_clock, tmp_path, script))

    assert problem.code == "bad_configuration"
    assert named in problem.text


async def test_a_script_may_be_json_anywhere(mock_clock: MockClock, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"answers": [{"text": "from JSON"}]}))

    heard = await said(mock_clock, tmp_path, "", model=f"scripted:{path}")

    assert answer_in(heard).message.text == "from JSON"


async def test_a_missing_script_is_said_when_the_model_is_asked_for(mock_clock: MockClock, tmp_path: Path) -> None:
    settings = msgspec.structs.replace(SETTINGS, cwd=str(tmp_path), model="scripted:s.toml")
    heard = await said(mock_clock, tmp_path, "", model="scripted:other.toml")

    async with agent_beside(mock_clock, Registry({}, {}), settings) as agent:
        resolved = await agent.ask("providers", ResolveModel(), ResolvedModel)

    assert problem_in(heard).code == "bad_configuration"
    assert resolved == ResolvedModel(model="scripted:s.toml")


@pytest.mark.parametrize(
    ("history", "text"),
    [
        ((PROMPT, ANSWERED, RESULT), "Done."),
        ((PROMPT, ANSWERED, DENIED), "Then not."),
        ((PROMPT, ANSWERED, RESULT, DENIED), "Then not."),
        ((PROMPT, ANSWERED, DENIED, ANSWERED, PROMPT), "The end."),
        ((PROMPT, DENIED), "First."),
    ],
)
async def test_what_was_denied_ends_the_script(
    mock_clock: MockClock, tmp_path: Path, history: tuple[ModelInput, ...], text: str
) -> None:
    script = """
        end = { text = "The end." }
        answers = [{ text = "First." }, { text = "Done.", if_denied = "Then not." }, { text = "Third." }]
    """

    heard = await said(mock_clock, tmp_path, script, *history)

    assert [delta.text for delta in heard if isinstance(delta, TextDelta)] == [text]

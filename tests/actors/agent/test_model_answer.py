"""What an answer is saved with beside what the model said."""

from actors.agent.model_answer import with_shown_names
from actors.messages.conversation import AssistantMessage, Text, ToolCall
from actors.messages.model import Answer, ToolSpec

READ = ToolSpec(name="read", description="", parameters="{}", effect="read")
DO_IT = ToolSpec(
    name="box___do_it_1a2b3c",
    description="",
    parameters="{}",
    effect="execute",
    runs_in="mcp",
    server="box",
    server_tool="do it",
)
TOOLS = {tool.name: tool for tool in (READ, DO_IT)}


def test_calls_of_servers_tools_have_the_name_that_people_know() -> None:
    calls = [ToolCall(call_id=name, name=name, arguments="{}") for name in ("read", DO_IT.name, "box___gone")]
    said = AssistantMessage(blocks=(Text(text="I call."), *calls), stop_reason="tool_calls", model="m")

    answer = with_shown_names(Answer(message=said), TOOLS)

    assert [call.shown for call in answer.message.calls] == ["", "box:do it", ""]
    assert [call.name for call in answer.message.calls] == [call.name for call in calls]
    assert answer.message.text == "I call."

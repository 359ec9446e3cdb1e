"""What is looked at before a fetch or a search leaves: the secrets it may carry, and who has named its host."""

from pathlib import Path

import pytest

from actors.gate.leak_check import SEARCH
from actors.messages.conversation import ToolCall
from actors.messages.model import LONGEST_OUTGOING
from actors.messages.tool import Allowed, Denied, HookRan, UserAnswered
from actors.settings.permissions import Permissions
from tests.actors.gate.scenes import SPECS, a_gate, call
from tests.fakes.tools import FakeTools

URL = "https://docs.example.com/a"
HOST = "docs.example.com"
SECRET = "hunter2hunter2"
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in SECRET)


def workers(*, named: bool = False) -> FakeTools:
    tools = FakeTools(SPECS)
    found = HookRan(exit_code=0 if named else 1, output="")
    tools.hooks = {SEARCH.format(host=host): found for host in (HOST, "other.example.com")}
    return tools


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("web_fetch", f'{{"url": "{URL}?k={ESCAPED}"}}'),
        ("web_fetch", f'{{"url": "{URL}", "headers": {{"x-a": "{ESCAPED}"}}}}'),
        ("web_fetch", f'{{"url": "{URL}", "headers": {{"{ESCAPED}": "1"}}}}'),
        ("web_fetch", f'{{"url": "{URL}", "headers": [["{ESCAPED}"]]}}'),
        ("read", f'{{"path": "{URL}?k={ESCAPED}"}}'),
        ("gh", f'{{"args": ["search", "code", "{ESCAPED}"]}}'),
    ],
)
async def test_a_secret_is_looked_for_in_what_the_tool_gets(workspace: Path, name: str, arguments: str) -> None:
    rules = Permissions(allow=("Web", "Gh")).lines("config.toml")
    async with a_gate(workspace, "auto", workers(named=True), rules=rules) as scene:
        scene.providers.secret = SECRET

        denied = await scene.authorise(ToolCall(call_id="c1", name=name, arguments=arguments), HOST)

    assert isinstance(denied, Denied)
    assert "SOME_TOKEN" in denied.reason


async def test_what_is_too_long_to_be_looked_through_is_refused(workspace: Path) -> None:
    async with a_gate(workspace, "auto", workers(named=True)) as scene:
        denied = await scene.authorise(call("web_fetch", url=URL, headers={"x": "a" * LONGEST_OUTGOING}), HOST)

    assert isinstance(denied, Denied)
    assert scene.providers.asked == []


@pytest.mark.parametrize("mode", ["default", "auto"])
async def test_what_carries_a_secret_is_refused_whatever_a_rule_allows(workspace: Path, mode: str) -> None:
    async with a_gate(workspace, mode, workers(named=True)) as scene:  # type: ignore[arg-type]
        scene.providers.secret = SECRET

        denied = await scene.authorise(call("web_fetch", url=f"{URL}?k={SECRET}"), HOST)

    assert isinstance(denied, Denied)
    assert "SOME_TOKEN" in denied.reason
    assert "hunter2" not in denied.reason
    assert scene.told == []


async def test_in_auto_the_first_fetch_of_a_host_that_nobody_named_is_asked_about_once(workspace: Path) -> None:
    async with a_gate(workspace, "auto", workers()) as scene:
        scene.ask_for(call("web_fetch", "first", url=URL))
        request, asked = await scene.question()
        request.reply(UserAnswered(choice="once"))
        first = await scene.verdict("first")
        second = await scene.authorise(call("web_fetch", "second", url=f"{URL}/b"))
        scene.ask_for(call("web_fetch", "third", url="https://other.example.com/"))
        _, again = await scene.question()

    assert isinstance(first, Allowed)
    assert isinstance(second, Allowed)
    assert HOST in asked.title + asked.detail + asked.warning + asked.risk
    assert "other.example.com" in again.call.arguments


async def test_a_host_that_a_prompt_a_result_or_a_file_has_named_is_not_asked_about(workspace: Path) -> None:
    async with a_gate(workspace, "auto", workers()) as scene:
        by_others = await scene.authorise(call("web_fetch", url=URL), HOST)
    async with a_gate(workspace, "auto", workers(named=True)) as scene:
        by_a_file = await scene.authorise(call("web_fetch", url=URL))

    assert isinstance(by_others, Allowed)
    assert isinstance(by_a_file, Allowed)


async def test_what_the_rules_allow_is_not_looked_for(workspace: Path) -> None:
    rules = Permissions(allow=("Web(docs.example.com)",)).lines("config.toml")
    async with a_gate(workspace, "auto", workers(), rules=rules) as scene:
        allowed = await scene.authorise(call("web_fetch", url=URL))

    assert isinstance(allowed, Allowed)
    assert scene.tools.hooks_ran == []

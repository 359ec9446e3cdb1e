"""/permissions: the rules of this moment, and which of them is taken back."""

import pytest

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.tool import DescribeRules, ForgetRule, Rules, StandingRule
from tests.fakes.network import open_network
from ui.screen.switches import permission_list
from ui.screen.switches.permission_list import PermissionList

DENY = StandingRule(verdict="deny", text="Read(.env)", source="/w/.trouper/config.toml")
FLAG = StandingRule(verdict="allow", text="Bash(npm test:*)", source="--allow")
GIVEN = StandingRule(verdict="allow", text="Bash(make)", source="this session", can_be_forgotten=True)
MORE = StandingRule(verdict="allow", text="Write(docs/**)", source="this session", can_be_forgotten=True)


class Gate:
    def __init__(self) -> None:
        self.rules = [FLAG, DENY, GIVEN, MORE]

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            match request.message:
                case DescribeRules():
                    request.reply(Rules(rules=tuple(self.rules)))
                case ForgetRule(rule=rule):
                    self.rules.remove(rule)
                    request.reply(Done())
                case other:
                    raise AssertionError(other)


async def done(*steps: str) -> tuple[list[str], list[StandingRule]]:
    """What was said, and what stands then. steps: "" to show, else what to forget."""
    said: list[tuple[str, str]] = []
    gate = Gate()
    async with open_network() as network:
        network.start("gate", gate.run)
        shown = PermissionList(network.mailbox("ui"), lambda *told: said.append(told))
        for step in steps:
            await (shown.forget(step) if step else shown.show())
    return [text for text, _ in said], gate.rules


async def test_they_are_numbered_with_their_files_the_strictest_first() -> None:
    (text,), _ = await done("")

    assert text.split("\n")[:4] == [
        "1  deny   Read(.env)        /w/.trouper/config.toml",
        "2  allow  Bash(npm test:*)  --allow",
        "3* allow  Bash(make)        this session",
        "4* allow  Write(docs/**)    this session",
    ]
    assert permission_list.in_words(()).startswith("There are no rules")


async def test_a_number_means_the_list_that_was_shown() -> None:
    said, left = await done("", "3", "4", "3")

    assert said[1:] == [
        "forgotten: Bash(make) (this session)",
        "forgotten: Write(docs/**) (this session)",
        "there is no rule 3; /permissions shows them",
    ]
    assert left == [FLAG, DENY]


@pytest.mark.parametrize("which", ["Bash(make)", "3"])
async def test_one_need_not_look_first(which: str) -> None:
    assert (await done(which))[1] == [FLAG, DENY, MORE]


@pytest.mark.parametrize("which", ["1", "Read(.env)"])
async def test_what_is_not_an_answer_is_changed_in_its_file(which: str) -> None:
    said, left = await done("", which)

    assert said[1].endswith("deny Read(.env) is changed in /w/.trouper/config.toml")
    assert len(left) == 4

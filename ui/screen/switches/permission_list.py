"""The rules of permission as the user reads them, numbered, and taking back what an answer has allowed."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.tool import DescribeRules, ForgetRule, Rules, StandingRule
from actors.settings.permissions import is_for_sandbox
from ui.common.harmless import exposed_line, one_line
from ui.screen.session_view import SessionView

ORDER = ("deny", "ask", "allow")
HOW = (
    "Deny counts more than ask, ask more than allow. What you have allowed (marked *) is taken back with: "
    "/permissions forget NUMBER or RULE. The others change in their files, from the next start on, or with --allow and "
    "--deny RULE.\n"
    "What would be decided about one call, and why: trouper permissions explain TOOL JSON"
)


class PermissionList:
    def __init__(self, mailbox: Mailbox, say: Callable[[str, str], None]) -> None:
        """say: text, level."""
        self._mailbox = mailbox
        self._say = say
        self._shown: Sequence[StandingRule] = ()
        """As they were last numbered."""

    async def show(self) -> None:
        try:
            self._shown = in_order(await self._standing())
        except Failed as failure:
            self._say(str(failure), "error")
            return
        self._say(in_words(self._shown), "info")

    async def look_for_sandbox(self, session: SessionView) -> None:
        """Whether all that stays inside the sandbox runs unasked."""
        with suppress(Failed):  # it is for the status line alone
            rules = await self._standing()
            session.sandbox_unasked = any(one.verdict == "allow" and is_for_sandbox(one.text) for one in rules)

    async def forget(self, which: str) -> None:
        """which: a number of the list as it was last shown, or a rule as it is written."""
        try:
            for rule in self._meant(which, await self._standing()):
                await self._mailbox.insist("gate", ForgetRule(rule=rule), Done)
                self._say(f"forgotten: {rule.text} ({rule.source})", "info")
        except Failed as failure:
            self._say(str(failure), "error")

    async def _standing(self) -> tuple[StandingRule, ...]:
        return (await self._mailbox.insist("gate", DescribeRules(), Rules)).rules

    def _meant(self, which: str, standing: Sequence[StandingRule]) -> list[StandingRule]:
        """What of it can be forgotten; where there is nothing, the user is told why."""
        numbered = self._shown or in_order(standing)
        if which.isdecimal():
            meant = [rule for number, rule in enumerate(numbered, 1) if number == int(which) and rule in standing]
        else:
            meant = [rule for rule in standing if rule.text == which]
        can = [rule for rule in meant if rule.can_be_forgotten]
        if not meant:
            self._say(f"there is no rule {which}; /permissions shows them", "warning")
        elif not can:
            told = ", ".join(f"{rule.verdict} {rule.text} is changed in {rule.source}" for rule in meant)
            self._say(f"only what you have allowed can be forgotten here: {told}", "warning")
        return can


def in_order(rules: Sequence[StandingRule]) -> list[StandingRule]:
    """The strictest first."""
    return sorted(rules, key=lambda rule: ORDER.index(rule.verdict))


def in_words(rules: Sequence[StandingRule]) -> str:
    """In the order they are given in."""
    texts = [exposed_line(rule.text) for rule in rules]
    widest = max(map(len, texts), default=0)
    digits = len(str(len(rules)))
    shown = [
        f"{number:>{digits}}{'*' if rule.can_be_forgotten else ' '} {rule.verdict:<5}  {text:<{widest}}  "
        f"{one_line(rule.source)}"
        for number, (rule, text) in enumerate(zip(rules, texts, strict=True), 1)
    ]
    return "\n".join([*(shown or ["There are no rules: the mode decides."]), HOW])

"""Which findings are to be fixed: those of severities that were said, or those that the user says yes to."""

import sys
from collections.abc import Sequence

from actors.common.plurals import how_many
from ui.common.harmless import exposed
from ui.common.usage_errors import Usage
from ui.findings.finding import SEVERITIES, Finding
from ui.findings.markdown import place
from ui.headless.stdout import say
from ui.inquiry import consent

ASK, ALL = "ask", "all"
ANSWERS = "y: fix it, n: leave it, a: fix it and all that follow, q: leave all that follow"


def check(said: str) -> None:
    """said: of --fix. Raises Usage."""
    if said == ASK and not consent.can_ask():
        raise Usage(
            f"nobody can be asked here which findings to fix: say --fix all, or --fix {','.join(SEVERITIES[:2])}."
        )
    if wrong := set(said.split(",")) - {ASK, ALL, *SEVERITIES}:
        raise Usage(
            f'--fix can be all, or severities such as critical,high, and not "{min(wrong)}". '
            "What is to be reviewed goes before it."
        )


def chosen(said: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """said: of --fix, checked."""
    if said == ASK:
        return tuple(_asked(findings))
    return tuple(one for one in findings if said == ALL or one.severity in said.split(","))


def _asked(findings: Sequence[Finding]) -> Sequence[Finding]:
    """One by one on the terminal; an end of the input leaves the rest."""
    accepted: list[Finding] = []
    if findings:
        say(f"\nwhich of {how_many(len(findings), 'finding')} are to be fixed?\n{ANSWERS}")
    for number, one in enumerate(findings, start=1):
        match _answer(f"{number}. {one.severity}: {exposed(one.title)} ({place(one) or 'not placed'})"):
            case "y":
                accepted.append(one)
            case "a":
                return [*accepted, *findings[number - 1 :]]
            case "q":
                return accepted
            case _:
                continue
    return accepted


def _answer(question: str) -> str:
    while True:
        say(f"{question} [y/n/a/q] ", end="")
        line = sys.stdin.readline()
        if not line:
            return "q"
        if (word := line.strip().casefold()[:1]) and word in "ynaq":
            return word
        say(ANSWERS)

"""What a model said becomes a name: one line that a terminal can be shown and a list can hold."""

import pytest

from actors.agent.session import naming
from actors.messages.model import ModelFacts

CASES = {
    "plain": ("Fix the login page", "Fix the login page"),
    "quoted": ('  "Fix the login page."\n', "Fix the login page"),
    "marked": ("## **Fix the login page**", "Fix the login page"),
    "the first line that says something": ("\n\n***\nFix it\nBecause you asked.", "Fix it"),
    "colours": ("\x1b[31mFix\x1b[0m it", "Fix it"),
    "a title for the terminal": ("\x1b]0;pwned\x07Fix it", "Fix it"),
    "a clipboard write that is not closed": ("Fix \x1b]52;c;cHduZWQ=", "Fix"),
    "control characters": ("Fix\x00 \x08it\x7f\x9b", "Fix it"),
    "text that runs backwards": ("Fix \u202eit\u2066", "Fix it"),
    "other line ends": ("Fix it\u2028rm -rf /", "Fix it"),
    "a secret": ("Use sk-abcdefghijklmnopqrstuvwx here", "Use [redacted] here"),
    "another script": ("ログイン画面を直す", "ログイン画面を直す"),
    "nothing": (" \n\t", ""),
    "too long": ("word " * 50, "word word word word word word word word word word word word…"),
}


@pytest.mark.parametrize(("said", "name"), CASES.values(), ids=CASES.keys())
def test_a_name_is_cleaned(said: str, name: str) -> None:
    assert naming.cleaned(said) == name


@pytest.mark.parametrize(
    ("facts", "effort"),
    [
        (ModelFacts(), ""),
        (ModelFacts(thinking="budget"), "off"),
        (ModelFacts(thinking="adaptive", efforts=("low", "high")), "off"),
        (ModelFacts(thinking="always", efforts=("low", "high")), "low"),
        (ModelFacts(efforts=("minimal", "low")), "minimal"),
    ],
)
def test_as_little_thought_as_can_be(facts: ModelFacts, effort: str) -> None:
    assert naming.least_effort(facts) == effort

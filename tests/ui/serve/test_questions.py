"""What the gate asks as a form, and that nothing but a clear yes is one."""

from typing import Any

import pytest

from actors.gate.approval import NO, NO_BECAUSE, ONCE
from actors.messages.conversation import ToolCall
from actors.messages.tool import NOBODY, Choice, UserAnswered, UserAsked
from ui.serve import questions

SESSION = Choice(id="session", key="s", label="for this session: Bash(make:*)")
ALWAYS = Choice(id="always", key="a", label="always: Bash(make:*) (.trouper/local.toml)")
ASKED = UserAsked(
    agent="agent:31",
    kind="approval",
    title="bash: make \x1b[2J\u202e",
    detail="make all",
    risk="runs in the sandbox, no network",
    choices=(ONCE, SESSION, ALWAYS, NO, NO_BECAUSE),
    default="no",
    escape="no",
    call=ToolCall(call_id="1", name="bash", arguments="{}"),
)


def test_a_form_offers_this_once_this_session_and_no_but_nothing_for_good() -> None:
    decision = questions.form(ASKED)["properties"]["decision"]

    assert decision["enum"] == ["no", "yes, this once", "for this session: Bash(make:*)"]
    assert decision["default"] == "no"


def test_all_of_a_question_is_shown_and_nothing_in_it_is_hidden() -> None:
    assert questions.message(ASKED) == (
        "Trouper asks: may it do this? bash: make \\x1b[2J\\u202e\n\nmake all\n\nruns in the sandbox, no network"
    )


@pytest.mark.parametrize(
    ("action", "content", "answer"),
    [
        ("accept", {"decision": "yes, this once"}, UserAnswered(choice="once")),
        ("accept", {"decision": "yes, this once", "comment": "go"}, UserAnswered(choice="once")),
        ("accept", {"decision": SESSION.label}, UserAnswered(choice="session")),
        ("accept", {"decision": "no"}, UserAnswered(choice="no")),
        ("accept", {"decision": "no", "comment": " use tox "}, UserAnswered(choice="no_because", text="use tox")),
        ("accept", {"decision": ALWAYS.label}, UserAnswered(choice="no")),
        ("accept", {"decision": "once"}, UserAnswered(choice="no")),
        ("accept", {"decision": True}, UserAnswered(choice="no")),
        ("accept", {}, UserAnswered(choice="no")),
        ("accept", None, UserAnswered(choice="no")),
        ("decline", {"decision": "yes, this once"}, UserAnswered(choice="no")),
        ("cancel", {"decision": "yes, this once"}, UserAnswered(choice=NOBODY)),
    ],
)
def test_what_is_no_clear_yes_is_a_no(action: str, content: dict[str, Any] | None, answer: UserAnswered) -> None:
    assert questions.meant(ASKED, action, content) == answer


@pytest.mark.parametrize(
    ("change", "can"),
    [({}, True), ({"kind": "question"}, False), ({"detail": "x" * questions.LONGEST}, False)],
)
def test_what_nobody_would_read_is_not_asked(change: dict[str, Any], can: bool) -> None:
    from msgspec.structs import replace

    assert questions.can_be_put(replace(ASKED, **change)) == can

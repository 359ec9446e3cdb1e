"""/cost, /status, /tools, /skills, /diff, /copy and /export: what they say of a session, and what they leave alone."""

from pathlib import Path

import pytest

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.conversation import AssistantMessage, BrokenTry, Entry, Text, UserMessage
from actors.messages.store import ReadSession, SessionOpened
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.usage import Usage
from actors.settings.config import Settings
from tests.fakes.network import open_network
from tests.ui.screen.terminals import PLAIN
from ui.screen.reports import changes, copying, costs, exporting, offered, standing
from ui.screen.session_view import SessionView
from ui.screen.terminal.tty import MOST_COPIED

BLOCKS = "Two:\n\n```python\nprint(1)\n```\n\nand\n\n~~~\nls\n~~~\n"
USED = Usage(input_tokens=10_000, cache_read_tokens=8_200, output_tokens=400, cost_usd=0.12)


def entries(*bodies: Message) -> list[Entry]:
    return [
        Entry(id=str(at), session_id="s1", parent=str(at - 1) if at else "", body=body, at=0.0)  # type: ignore[arg-type]
        for at, body in enumerate(bodies)
    ]


def answer(text: str, model: str = "a/big") -> AssistantMessage:
    return AssistantMessage(blocks=(Text(text=text),), stop_reason="end_turn", model=model, usage=USED)


SAID = entries(UserMessage(text="hi", turn_id="t"), answer(BLOCKS), answer("", "b/small"), BrokenTry(usage=Usage()))


async def store(mailbox: Mailbox) -> None:
    async for request in mailbox:
        if isinstance(request.message, ReadSession):
            for entry in SAID:
                await request.send(entry)
            request.reply(SessionOpened(session_id="s1", cwd="/w", entries=len(SAID)))


def test_costs_are_by_model_with_what_was_cached_and_what_is_unknown() -> None:
    found = costs.Costs()
    for entry in SAID:
        found.add(entry)

    assert [" ".join(line.split()) for line in costs.in_words(found).split("\n")] == [
        "this session cost unknown 20.0k tok in (82 % cached) 800 out",
        "a/big $0.12 10.0k tok in (82 % cached) 400 out",
        "b/small $0.12 10.0k tok in (82 % cached) 400 out",
        "beside the conversation cost unknown 0 tok in 0 out",
        "2 answers; /budget shows and raises the limit",
    ]
    assert costs.in_words(costs.Costs()) == "nothing was used in this session yet"


def test_status_names_what_a_report_needs_and_no_variable_of_the_environment(tmp_path: Path) -> None:
    settings = Settings(home="/h", cwd=str(tmp_path), session_id="s1", run_id="r")

    said = standing.in_words(settings, SessionView(), "s1", {"TERM": "xterm", "A_KEY": "secret", "TMUX": "/tmp/x,1"})

    assert "session      s1" in said
    assert "terminal     xterm, in tmux" in said
    assert "secret" not in said


def test_skills_are_listed_with_whose_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "home/skills/look"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: look\ndescription: how to look\n---\nLook.")
    settings = Settings(home=str(tmp_path / "home"), cwd=str(tmp_path), session_id="s", run_id="r")

    assert offered.skills_in_words(settings, tmp_path / "nobody") == "look  how to look"


async def test_the_last_answer_is_copied_whole_or_by_its_blocks_exactly() -> None:
    async with open_network() as network:
        network.start("store", store)
        found = await copying.last_answer(network.mailbox("ui"), "s1")

    assert [one.text for one in copying.pieces(found)] == [BLOCKS, "print(1)\n", "ls\n"]


async def test_where_there_are_several_the_user_says_which() -> None:
    asked: list[str] = []

    async def ask(question: UserAsked) -> UserAnswered:
        asked.extend(one.label for one in question.choices)
        return UserAnswered(choice="2")

    assert await copying.chosen(ask, copying.pieces(BLOCKS)) == 2
    assert asked == ["the last answer: Two:", "block 1 (python): print(1)", "block 2: ls"]
    assert await copying.chosen(ask, copying.pieces("only words")) == 0


def test_what_no_terminal_takes_is_refused_and_not_cut() -> None:
    assert copying.too_long("x" * MOST_COPIED) == ""
    assert "/export FILE has all of it" in copying.too_long("ä" * MOST_COPIED)


@pytest.mark.parametrize("name", ["", "out.md", "out.html", "out.jsonl"])
async def test_a_session_goes_to_a_file_and_never_over_another(tmp_path: Path, name: str) -> None:
    async with open_network() as network:
        network.start("store", store)
        path = await exporting.export(network.mailbox("ui"), "s1", tmp_path, name)
        before = path.read_text()
        with pytest.raises(Failed, match="is there already"):
            await exporting.export(network.mailbox("ui"), "s1", tmp_path, name)

    assert path.name == (name or "session-s1.md")
    assert "print" in before
    assert path.read_text() == before
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_form_that_there_is_not_is_said(tmp_path: Path) -> None:
    async with open_network() as network:
        with pytest.raises(Failed, match=r"has to end in \.md, \.html, \.jsonl"):
            await exporting.export(network.mailbox("ui"), "s1", tmp_path, "out.pdf")

    assert list(tmp_path.iterdir()) == []


def test_changes_are_bounded_and_nothing_in_them_is_obeyed() -> None:
    lines = "\n".join(f"+line {number}\x1b[2J" for number in range(1000))
    shown = changes.Changes(f"diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n{lines}\n", ("new.txt",))

    rows = shown.rows(40, PLAIN)

    assert len(rows) < changes.MOST_ROWS + 4
    assert "more lines: !git diff HEAD" in rows[-2]
    assert "new.txt" in rows[-1]
    assert not any("\x1b[2J" in row for row in rows)
    assert "everything is committed" in changes.Changes("").rows(40, PLAIN)[1]

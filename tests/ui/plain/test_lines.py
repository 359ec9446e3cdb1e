"""What becomes of pieces and of what is live, as lines."""

from actors.messages.conversation import Source, ToolResult
from ui.plain.lines import Lines, Speech, speech
from ui.plain.stream import bare
from ui.screen.terminal.piece import Piece
from ui.screen.terminal.renderer import View
from ui.screen.terminal.theme import theme
from ui.screen.transcript.blocks import ModelSaid, Note, SourcesNamed, Stopped, ToolDone, UserSaid
from ui.screen.transcript.markdown import CodeLine, Prose

PLAIN = theme(colour=False)
FAILED = ToolResult(call_id="c", name="bash", output="E  assert\n1 failed\n", failed=True, summary="exit 1", ms=3200)
NOTHING = View([], 0, 0)
PROMPT = View(["you: "], 0, 0)


def said(text: str) -> ModelSaid:
    return ModelSaid(Prose(text, gap=True, end=0), gap=True)


def frame(lines: Lines, *pieces: Piece, view: View = NOTHING) -> str:
    return lines.frame([*pieces], view, PLAIN)


def test_who_speaks_is_said_once() -> None:
    code = ModelSaid(CodeLine((("keyword", "x"), ("", " = 1")), gap=True, end=0), gap=True)

    shown = frame(Lines(echoed=False), UserSaid("do it\nnow"), said("I look.\n"), code, Note("Mind.", "warning"))

    assert shown == "you: do it\nnow\nagent: I look.\nx = 1\nwarning: Mind.\n"


def test_a_call_is_one_line_and_what_it_says() -> None:
    done = ToolDone("bash", "uv run pytest -q", FAILED, gap=True)

    assert frame(Lines(echoed=False), done) == (
        "tool: bash uv run pytest -q, failed, exit 1, 3.2s\n  E  assert\n  1 failed\n"
    )


def test_what_went_wrong_is_an_error_and_an_interrupt_is_none() -> None:
    shown = frame(Lines(echoed=False), Stopped("failed", "no key"), Stopped("interrupted", ""), Note("gone", "error"))

    assert shown == "error: failed: no key\nnote: interrupted\nerror: gone\n"


def test_sources_have_a_label_of_their_own() -> None:
    named = SourcesNamed((Source(url="https://a.example", title="A"),))

    assert speech(named, PLAIN) == Speech("sources", ["1. A, https://a.example"])


def test_a_state_is_told_when_it_becomes_another() -> None:
    lines = Lines(echoed=True)
    working = View(["status: working"], 0, 0)

    shown = [frame(lines, view=view) for view in (working, working, PROMPT, PROMPT)]

    assert shown == ["status: working\n", "", "you: ", ""]


def test_what_comes_behind_a_prompt_begins_a_line_and_the_prompt_comes_again() -> None:
    lines = Lines(echoed=True)
    frame(lines, view=PROMPT)

    assert frame(lines, Note("found"), view=PROMPT) == "\nnote: found\nyou: "


def test_what_was_typed_behind_a_prompt_is_not_said_again() -> None:
    lines = Lines(echoed=True)
    frame(lines, view=PROMPT)
    lines.answered("do it")

    assert frame(lines, UserSaid("do it"), said("Yes.")) == "agent: Yes.\n"


def test_a_log_has_what_was_typed() -> None:
    lines = Lines(echoed=False)
    lines.answered("do it")

    assert frame(lines, UserSaid("do it")) == "you: do it\n"


def test_no_sequence_for_a_terminal_goes_out() -> None:
    assert (
        bare("\x1b[1mbold\x1b[0m \x1b]8;;https://a.example\x1b\\link\x1b]8;;\x07 \x1b[?25h\x1b7\a\rend\n")
        == "bold link end\n"
    )

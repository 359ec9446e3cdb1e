"""Arguments that make no sense are refused with their reason, before anything runs."""

from pathlib import Path

import pytest

from ui.cli import prompt
from ui.cli.arguments import main_parser
from ui.cli.subcommands import batch, sessions
from ui.common.usage_errors import Usage
from ui.start.launch_state import Launch


@pytest.mark.parametrize(
    "words",
    [
        ["--timeout", "3", "hi"],
        ["--start-timeout", "3s", "hi"],
        ["--output", "json", "hi"],
        ["--trajectory", "f", "hi"],
    ],
)
def test_what_is_for_headless_runs_is_not_ignored_elsewhere(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TROUPER_HOME", str(tmp_path))

    names = "--timeout, --start-timeout, --output, --background and --trajectory"
    why = f"{names} are for a prompt without a screen: trouper -p PROMPT"
    with pytest.raises(Usage, match=why):
        prompt.main(main_parser().parse_args(words), Launch("launch.py"))


def test_one_session_is_gone_on_with(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main_parser().parse_args(["-c", "-r", "3fa9"])

    assert "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["0", "-1"])
def test_a_list_of_no_sessions_cannot_be_asked_for(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        sessions.main(["list", "--limit", limit], Launch("launch.py"))

    assert "--limit: must be at least 1" in capsys.readouterr().err


def test_where_results_cannot_be_written_no_batch_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TROUPER_HOME", str(tmp_path / "home"))
    tasks, out = tmp_path / "tasks.jsonl", tmp_path / "nowhere" / "out.jsonl"
    tasks.write_text('{"id": "a", "prompt": "x"}')

    with pytest.raises(Usage, match="there is no folder"):
        batch.main([str(tasks), "--out", str(out)], Launch("launch.py"))

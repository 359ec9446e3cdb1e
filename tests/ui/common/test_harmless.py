"""Text from outside cannot steer a terminal, and JSON says the same as before."""

import json

import msgspec
import pytest

from ui.cli.arguments import Parser
from ui.common import json_text
from ui.common.harmless import exposed, sanitise

EVIL = "a\x1b]52;c;ZXZpbA==\x07b\x9b31mc\x85d\x7fe\u2028f\u202eg\U000e0041h\ti\nj"


@pytest.mark.parametrize("write", [json_text.line, json_text.pretty])
def test_json_is_harmless_and_means_the_same(write: object) -> None:
    value = {EVIL: [EVIL, 1, None]}

    written = write(value)  # type: ignore[operator]

    assert json.loads(written) == msgspec.json.decode(written) == value
    assert sanitise(written) == written


def test_a_line_of_json_is_one_line() -> None:
    assert len(json_text.line({"text": EVIL}).splitlines()) == 1


@pytest.mark.parametrize("arguments", [[f"--{EVIL}"], ["--number", EVIL]])
def test_an_error_quotes_arguments_harmlessly(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    parser = Parser(prog="trouper")
    parser.add_argument("--number", type=int)

    with pytest.raises(SystemExit):
        parser.parse_args(arguments)

    written = capsys.readouterr().err
    assert "]52;c" in written
    assert sanitise(written) == written


def test_what_is_approved_shows_more_than_what_is_read() -> None:
    assert (sanitise("a\u200db\rc"), exposed("a\u200db\rc")) == ("a\u200dbc", "a\\u200db\\x0dc")

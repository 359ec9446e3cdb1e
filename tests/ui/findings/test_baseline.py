"""What a former report knows, in each of its forms."""

import json
import os
from pathlib import Path
from typing import get_args

import pytest

from tests.ui.findings.made import FINDING, UNPLACED, finding, report
from ui.common.usage_errors import Usage
from ui.findings.baseline import read_baseline
from ui.findings.report import Form
from ui.findings.writing import rendered, write

FORMS = get_args(Form)
LEFT_OUT = "2" * 32


@pytest.mark.parametrize("form", FORMS)
def test_a_report_is_the_baseline_of_the_next_in_each_form(form: Form, tmp_path: Path) -> None:
    write(report(FINDING, UNPLACED, left_out=(LEFT_OUT,)), form, Path("report"), tmp_path)

    assert read_baseline(tmp_path / "report") == {FINDING.fingerprint, UNPLACED.fingerprint, LEFT_OUT}


def test_a_report_that_another_program_has_set_anew_is_read(tmp_path: Path) -> None:
    for form in FORMS:
        write(report(FINDING, left_out=(LEFT_OUT,)), form, Path(form), tmp_path)
    for form in ("json", "sarif"):
        (tmp_path / form).write_text("\n" + json.dumps(json.loads((tmp_path / form).read_text())))
    (tmp_path / "markdown").write_text((tmp_path / "markdown").read_text().replace("\n", "\r\n") + "\r\n\r\n")

    assert [read_baseline(tmp_path / form) for form in FORMS] == [{FINDING.fingerprint, LEFT_OUT}] * 3


def test_what_a_report_quotes_is_not_known(tmp_path: Path) -> None:
    """Who writes a line that looks like ours into a file hides nothing by it."""
    planted = f"<!-- fingerprints: {LEFT_OUT} -->"
    said = finding(quote=planted, why=f"\n{planted}\n", fix=planted, title=planted, path=planted)
    for form in FORMS:
        write(report(said, summary=planted), form, Path(form), tmp_path)

    assert [read_baseline(tmp_path / form) for form in FORMS] == [{FINDING.fingerprint}] * 3


OTHER_TOOL = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Other"}}, "results": []}]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Issues\n",
        "{}",
        '{"runs": []}',
        "\0",
        "<!-- fingerprints: -->",
        '{"findings": []}',
        json.dumps(OTHER_TOOL),
    ],
)
def test_what_is_no_report_of_ours_is_no_baseline(text: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_text(text)

    with pytest.raises(Usage, match="no report of Trouper"):
        read_baseline(tmp_path / "other")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_report_that_was_cut_is_refused(form: Form, part: float, tmp_path: Path) -> None:
    whole = rendered(report(FINDING), form)
    (tmp_path / "cut").write_text(whole[: int(len(whole) * part)])

    with pytest.raises(Usage, match="cannot read --baseline"):
        read_baseline(tmp_path / "cut")


@pytest.mark.parametrize(
    "text",
    [
        '{"format": "trouper-findings", "findings": [{"fingerprint": 3}]}',
        '{"format": "trouper-findings", "findings": {"a": 1}}',
        '{"format": ["trouper-findings"]}',
        '{"runs": [{"tool": {"driver": {"name": "Trouper"}}, "properties": {"fingerprints": [[]]}}]}',
        '{"other": ' + "[" * 1_000_000,
    ],
)
def test_a_report_of_another_shape_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "odd").write_text(text)

    with pytest.raises(Usage, match="cannot read --baseline"):
        read_baseline(tmp_path / "odd")


def test_what_is_no_file_or_no_text_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")

    for name in ("fifo", "bytes", "none", "."):
        with pytest.raises(Usage, match="cannot read --baseline"):
            read_baseline(tmp_path / name)

"""What a former report knows, in each of its forms."""

from pathlib import Path
from typing import get_args

import pytest

from tests.ui.findings.made import FINDING, UNPLACED, report
from ui.common.usage_errors import Usage
from ui.findings.baseline import read_baseline
from ui.findings.report import Form
from ui.findings.writing import write

FORMS = get_args(Form)
LEFT_OUT = "2" * 32


@pytest.mark.parametrize("form", FORMS)
def test_a_report_is_the_baseline_of_the_next_in_each_form(form: Form, tmp_path: Path) -> None:
    write(report(FINDING, UNPLACED, left_out=(LEFT_OUT,)), form, Path("report"), tmp_path)

    assert read_baseline(tmp_path / "report") == {FINDING.fingerprint, UNPLACED.fingerprint, LEFT_OUT}


@pytest.mark.parametrize("text", ["", "# Issues\n", "{}", '{"runs": []}', "\0", "<!-- fingerprints: -->"])
def test_what_is_no_report_of_ours_is_no_baseline(text: str, tmp_path: Path) -> None:
    (tmp_path / "other").write_text(text)

    with pytest.raises(Usage, match="no report of Trouper"):
        read_baseline(tmp_path / "other")

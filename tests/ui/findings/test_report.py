"""What a report says of itself, in words."""

from pathlib import Path

import msgspec

from tests.ui.findings.made import FINDING, TRANSPARENCY, UNPLACED, finding, report
from ui.findings.report import counted, fingerprints_of, folder_in_repository, severities, transparency_line


def test_what_was_asked_is_said_in_one_line() -> None:
    used = msgspec.structs.replace(TRANSPARENCY, known=1, cost_usd=None, missed=(("\x1b[31mrefused\n", 2),))

    assert transparency_line(report(FINDING, UNPLACED, transparency=used)) == (
        "model: scripted/test; sent: 3 files in 2 chunks; skipped: 3 files (2 binary, 1 lock file); "
        "tokens: 1,200 in, 90 out; cost: unknown; dropped: 1 finding (1 quote that is not in the file); "
        "not placed: 1 finding; not looked at: 2 chunks (2 \\x1b[31mrefused\\x0a); known before: 1 finding"
    )


def test_severities_are_counted_the_worst_first() -> None:
    assert severities([finding(severity=each) for each in ("low", "critical", "low")]) == "1 critical, 2 low"
    assert severities([]) == "no findings"


def test_reasons_are_counted_the_most_frequent_first() -> None:
    assert counted(["b", "c", "a", "c", "a", "c"]) == (("c", 3), ("a", 2), ("b", 1))


def test_what_is_left_out_is_known_to_a_later_run() -> None:
    assert fingerprints_of(report(FINDING, left_out=("1" * 32, FINDING.fingerprint))) == (
        FINDING.fingerprint,
        "1" * 32,
    )


def test_a_workspace_is_a_folder_of_its_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    inner = tmp_path / "packages" / "a b"
    inner.mkdir(parents=True)

    assert [folder_in_repository(each) for each in (tmp_path, inner, Path("/"))] == ["", "packages/a b/", ""]

"""The same command goes on with its run until that has a report; then it begins another one."""

from pathlib import Path

import msgspec
import pytest

from ui.common.usage_errors import Usage
from ui.inquiry.kept_run import Kept, begun, find, keep, return_to

ARGUMENTS = ("--format", "json")


def begin(home: Path, cwd: str = "/w", out: str = "/w/a.md") -> Kept:
    return begun(str(home), "audit", cwd, out, ARGUMENTS)


def test_one_that_was_cut_off_is_gone_on_with(tmp_path: Path) -> None:
    assert begin(tmp_path) == begin(tmp_path)


def test_one_that_has_its_report_is_followed_by_another(tmp_path: Path) -> None:
    first = begin(tmp_path)
    keep(str(tmp_path), msgspec.structs.replace(first, has_ended=True))

    second = begin(tmp_path)

    assert (second.place, second.number) == (first.place, 2)
    assert second.run_id != first.run_id


@pytest.mark.parametrize(("cwd", "out"), [("/other", "/w/a.md"), ("/w", "/w/b.md")])
def test_another_folder_or_report_is_another_run(tmp_path: Path, cwd: str, out: str) -> None:
    assert begin(tmp_path, cwd, out).place != begin(tmp_path).place


def test_it_is_found_by_its_folder_or_its_id(tmp_path: Path) -> None:
    kept = begin(tmp_path)
    begin(tmp_path, "/other")

    assert find(str(tmp_path), "audit", "", "/w") == kept
    assert find(str(tmp_path), "audit", kept.run_id[:5], "/elsewhere") == kept


def test_what_there_is_not_is_said_with_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="Begin one with: trouper audit"):
        find(str(tmp_path), "audit", "", "/w")
    kept = begin(tmp_path)

    with pytest.raises(Usage, match=f"There are: {kept.run_id} "):
        find(str(tmp_path), "audit", "ffff", "/w")
    with pytest.raises(Usage, match="no review was begun in /w"):
        find(str(tmp_path), "review", "", "/w")


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    kept = msgspec.structs.replace(begin(tmp_path), typed_in=str(tmp_path / "gone"))

    with pytest.raises(Usage, match=r"cannot go on in .*gone: No such file or directory\. It was begun there"):
        return_to(kept)


def test_a_damaged_one_is_begun_anew(tmp_path: Path) -> None:
    kept = begin(tmp_path)
    (tmp_path / "inquiries" / f"{kept.place}.json").write_text("{")

    assert begin(tmp_path) == kept

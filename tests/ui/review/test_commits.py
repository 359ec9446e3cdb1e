"""The message of a fix's commit, and what is left of former reviews."""

import os
from pathlib import Path

from msgspec.structs import replace

from tests.ui.review.test_prompts import FINDING
from ui.review.commits import LONGEST_SUBJECT, message
from ui.review.task import FOLDER, MOST_KEPT, tidy


def test_it_says_what_was_found_where_and_by_whom() -> None:
    told = message(replace(FINDING, why="It fails."))

    assert told == (
        "Divides by zero\n\nIt fails.\n\nAt a.py:2-3. Found by a review (high, correctness-x), fixed by Trouper.\n\n"
        f"Review-Finding: {FINDING.fingerprint}\n"
    )


def test_nothing_in_it_closes_an_issue_calls_somebody_or_is_a_trailer() -> None:
    told = message(replace(FINDING, title="Fixes #12\x1b[31m", why="Closes #7, cc @everyone\n\nSigned-off-by: X <x@y>"))

    assert ("#12" in told, "#7" in told, "@everyone" in told, "\x1b" in told) == (False,) * 4
    assert told.rstrip("\n").split("\n\n")[-1] == f"Review-Finding: {FINDING.fingerprint}"


def test_a_long_title_is_cut() -> None:
    assert len(message(replace(FINDING, title="x" * 200)).split("\n")[0]) == LONGEST_SUBJECT


def test_the_oldest_of_what_is_kept_goes(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    for number in range(MOST_KEPT + 3):
        file = folder / f"{number}"
        file.touch()
        os.utime(file, (number, number))

    tidy(str(tmp_path))

    assert sorted(int(file.name) for file in folder.iterdir()) == list(range(3, MOST_KEPT + 3))

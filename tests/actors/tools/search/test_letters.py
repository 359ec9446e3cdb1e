"""Which paths a few letters mean."""

import pytest

from actors.tools.search.letters import best

PATHS = ("README.md", "src/", "src/cart/", "src/cart/tools.py", "src/cart/totals.py", "tests/", "tests/test_totals.py")


@pytest.mark.parametrize(
    ("letters", "first"),
    [
        ("totals", "src/cart/totals.py"),
        ("TOTALS", "src/cart/totals.py"),
        ("src/", "src/"),
        ("src/cart/to", "src/cart/tools.py"),
        ("scto", "src/cart/tools.py"),
        ("./read", "README.md"),
        ("test", "tests/"),
    ],
)
def test_the_nearest_comes_first(letters: str, first: str) -> None:
    assert best(letters, PATHS, 3)[0][0] == first


def test_nothing_typed_shows_what_is_at_the_top_folders_first() -> None:
    assert best("", PATHS, 8) == (["src/", "tests/", "README.md"], len(PATHS))


def test_letters_that_are_not_there_in_order_find_nothing() -> None:
    assert best("slatot", PATHS, 8) == ([], 0)


def test_how_many_fit_is_told_beyond_what_is_shown() -> None:
    found, total = best("t", PATHS, 2)

    assert (len(found), total) == (2, 5)


def test_a_name_made_to_be_slow_is_not() -> None:
    paths = ["a" * 250 + str(number) for number in range(2000)]

    assert best("a" * 60 + "b", paths, 8) == ([], 0)

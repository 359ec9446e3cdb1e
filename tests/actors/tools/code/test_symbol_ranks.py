"""Files that are used by many come first, whatever the graph looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.tools.code.symbol_ranks import Symbols, ranks, weights

NAMES = st.sampled_from("abcdef")
FILES = st.dictionaries(
    st.sampled_from(["1", "2", "3", "4"]),
    st.builds(Symbols, st.lists(NAMES, max_size=4).map(tuple), st.dictionaries(NAMES, st.integers(1, 9), max_size=4)),
    max_size=4,
)


def test_what_many_use_ranks_above_what_uses_it() -> None:
    files = {
        "core": Symbols(("load",), {}),
        "one": Symbols(("first",), {"load": 1}),
        "two": Symbols(("second",), {"load": 1}),
        "three": Symbols((), {"load": 2, "first": 1}),
        "alone": Symbols(("third",), {}),
    }
    rank = ranks(files)

    assert sorted(rank, key=lambda path: -rank[path])[:2] == ["core", "one"]
    assert weights(files)["load"] > weights(files)["first"]


def test_a_name_that_everybody_defines_links_nobody() -> None:
    files = {str(number): Symbols(("main",), {"main": 1}) for number in range(4)}

    assert set(ranks(files).values()) == {0.25}


@given(files=FILES)
def test_ranks_always_add_up(files: dict[str, Symbols]) -> None:
    assert sum(ranks(files).values()) == pytest.approx(1.0 if files else 0.0)

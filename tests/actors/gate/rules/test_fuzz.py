"""What each parser and matcher of the gate does with a text put together from the pieces of its grammar, and others."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.confinement.errors import ToolFailed
from actors.errors import BadConfiguration, Failed
from tests.bench.gate import CALLS, pieces

ANY = st.characters(codec="utf-8")
"""Messages are UTF-8."""


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_it_answers_or_says_what_is_wrong(name: str, data: st.DataObject) -> None:
    call, begins, ends, longest = CALLS[name]
    text = "".join(data.draw(st.lists(st.sampled_from(pieces(name)) | ANY, max_size=60)))

    with contextlib.suppress(BadConfiguration, Failed, ToolFailed):
        call(begins + text[:longest] + ends)

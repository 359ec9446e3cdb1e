"""What a model is shown of arguments that it got wrong."""

from typing import Annotated, Literal

import msgspec
import pytest

from actors.tools.argument_shapes import hint, shape
from actors.tools.base import Arguments


class Inner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1)]
    kind: Literal["file", "folder"] = "file"


class Outer(Arguments, frozen=True):
    inner: Annotated[tuple[Inner, ...], msgspec.Meta(max_length=3)]
    one: Inner
    depth: Literal[1, 2]
    words: tuple[str, ...] = ()
    kinds: tuple[Literal["a", "b"], ...] = ()
    headers: dict[str, str] = msgspec.field(default_factory=dict)


def test_a_shape_names_values_and_what_lists_hold() -> None:
    inner = '{"name": <string>, "kind": <"file" | "folder", optional>}'

    assert shape(Outer) == (
        f'{{"inner": [{inner}, ...], "one": {inner}, "depth": <1 | 2>, "words": <optional> [<string>, ...], '
        '"kinds": <optional> [<"a" | "b">, ...], "headers": <optional> {<string>: <string>, ...}}'
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('{"inner": [{"name": "a", "kind": "fil"}]}', ' kind is one of "file", "folder".'),
        ('{"inner": [], "one": {"name": "a", "kind": "x - at `$.depth`"}}', ' kind is one of "file", "folder".'),
        ('{"inner": [], "kinds": ["c"]}', ' kinds is one of "a", "b".'),
        ('{"inner": [], "depth": 3}', " depth is one of 1, 2."),
        ('{"inner": [{"nam": "a"}]}', " Did you mean `name`?"),
        ('{"inner": [{"name": 1}]}', ""),
    ],
)
def test_a_hint_names_what_there_is(given: str, said: str) -> None:
    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.json.decode(given, type=Outer)

    assert hint(str(wrong.value), Outer) == said

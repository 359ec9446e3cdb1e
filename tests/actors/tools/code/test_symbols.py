"""`symbols` over a real folder."""

from pathlib import Path

import pytest

from actors.tools import limits
from tests.actors.tools.conftest import Call


@pytest.fixture(autouse=True)
def tree(folder: Path) -> None:
    (folder / "src").mkdir()
    (folder / "src" / "cart.py").write_text("class Cart:\n    def total(self):\n        return 1\n")
    (folder / "src" / "shop.py").write_text(
        "from cart import Cart\n\n\ndef sell():\n    return Cart().total()  # Cart\n"
    )


async def test_a_file_has_an_outline(call: Call) -> None:
    outcome = await call("symbols", path="src/cart.py")

    assert outcome.output.splitlines() == [
        "src/cart.py",
        "      1  class     class Cart:",
        "      2  function    def total(self):",
    ]


async def test_a_name_is_found_with_its_uses(call: Call) -> None:
    outcome = await call("symbols", name="Cart", references=True)

    assert outcome.output.splitlines() == [
        "src/cart.py",
        "      1  class     class Cart:",
        "src/shop.py",
        "      1  use       from cart import Cart",
        "      5  use       return Cart().total()  # Cart",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"name": "Nobody"}, "Nothing named Nobody is defined in .. Use grep"),
        ({"references": True}, "references needs a name"),
        ({"path": "missing.py"}, "No such file"),
        ({"path": "notes.txt"}, "no grammar here for notes.txt"),
        ({"path": "../elsewhere.py"}, "outside the workspace"),
    ],
)
async def test_what_cannot_be_found_says_what_to_do(
    folder: Path, call: Call, arguments: dict[str, object], words: str
) -> None:
    (folder / "notes.txt").write_text("Cart\n")

    outcome = await call("symbols", **arguments)

    assert outcome.failed
    assert words in outcome.output


async def test_too_much_is_cut_and_says_so(folder: Path, call: Call) -> None:
    (folder / "many.py").write_text("".join(f"def f{number}(): ...\n" for number in range(limits.SYMBOL_ROWS + 50)))

    outcome = await call("symbols", path="many.py")

    assert len(outcome.output.splitlines()) == limits.SYMBOL_ROWS + 1
    assert "give a path or a name" in outcome.output

"""The rooms of the house: how much is in each, what its doorplate says, and that the tests have the same rooms."""

import ast
import re
from pathlib import Path

import pytest

from tests import ROOT

ROOMS = sorted(
    init.parent for package in ("actors", "supervisor", "ui") for init in (ROOT / package).rglob("__init__.py")
)
FEWEST = 3
MOST = 15

each_room = pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))


@each_room
def test_a_room_is_neither_a_drawer_nor_a_single_file(room: Path) -> None:
    """Rooms within a room count against its being too small only: what is in them is behind doors of their own."""
    assert len(modules(room)) <= MOST
    assert len(modules(room) | inner_rooms(room)) >= FEWEST


@each_room
def test_a_doorplate_says_what_a_room_is_and_where_to_go_in(room: Path) -> None:
    if len(modules(room)) < FEWEST:
        return
    sentences = re.findall(r"\S.*?[.:;](?=\s|$)", doorplate(room), re.DOTALL)
    entrances = [
        sentence for sentence in sentences if re.match(r"Its entrances? (is|are) |Every module is an", sentence)
    ]

    assert len(sentences) >= 2
    assert len(entrances) == 1
    assert names(entrances[0]) - modules(room) - inner_rooms(room) - own_names(room) == set()


@each_room
def test_a_doorplate_names_no_room_that_is_not_there(room: Path) -> None:
    """What is written `so/` is a room in this one, or beside it or one of those around it."""
    named = {name for name in names(doorplate(room)) if name.endswith("/")}
    around = [room, *(outer for outer in room.parents if outer.is_relative_to(ROOT))]

    assert named - {inner for place in around for inner in inner_rooms(place)} == set()


def test_the_tests_have_the_rooms_of_what_they_are_about() -> None:
    """They are not counted: how many test files a room needs follows from what it does."""
    folders = {
        folder.relative_to(ROOT / "tests")
        for package in ("actors", "supervisor", "ui")
        for folder in (ROOT / "tests" / package, *(ROOT / "tests" / package).rglob("*/"))
        if any(folder.glob("test_*.py"))
    }

    assert folders - {room.relative_to(ROOT) for room in ROOMS} == set()


def modules(room: Path) -> set[str]:
    return {path.stem for path in room.glob("*.py")} - {"__init__"}


def inner_rooms(room: Path) -> set[str]:
    """Their names as doorplates write them."""
    return {f"{init.parent.name}/" for init in room.glob("*/__init__.py")}


def doorplate(room: Path) -> str:
    return ast.get_docstring(ast.parse((room / "__init__.py").read_text())) or ""


def own_names(room: Path) -> set[str]:
    """What the room's own file defines, since some are entered by that."""
    nodes = list(ast.walk(ast.parse((room / "__init__.py").read_text())))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def names(text: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", text))

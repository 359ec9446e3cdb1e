"""Imports go down only: each contract of import-linter is kept and shown to bite, and nothing imports in a circle."""

import os
import shutil
import subprocess
import sys
from copy import deepcopy
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import grimp
import pytest
from grimp import ImportGraph
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

from tests import ROOT

CONFIGURATION = read_configuration(str(ROOT / "pyproject.toml"))
PACKAGES = CONFIGURATION["session_options"]["root_packages"]
CONTRACTS = CONFIGURATION["contracts_options"]
KINDS = {"forbidden": ForbiddenContract, "independence": IndependenceContract, "layers": LayersContract}
EXHAUSTIVE = [contract for contract in CONTRACTS if contract.get("exhaustive")]

Contract = dict[str, Any]


def named(contracts: list[Contract]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("contract", contracts, ids=lambda contract: contract["name"])


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return grimp.build_graph(*PACKAGES, cache_dir=None)


@named(CONTRACTS)
def test_a_contract_is_kept(contract: Contract, graph: ImportGraph) -> None:
    assert is_kept(contract, graph)


@named(CONTRACTS)
def test_a_contract_breaks_by_every_import_it_forbids(contract: Contract, graph: ImportGraph) -> None:
    forbidden = forbidden_imports(contract)

    unnoticed = [(importer, imported) for importer, imported in forbidden if bears(contract, graph, importer, imported)]

    assert forbidden
    assert unnoticed == []


@named(EXHAUSTIVE)
def test_a_contract_for_a_whole_package_breaks_by_a_module_it_does_not_name(
    contract: Contract, graph: ImportGraph
) -> None:
    for package in contract["containers"]:
        larger = deepcopy(graph)
        larger.add_module(f"{package}.not_named")

        assert not is_kept(contract, larger)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "import actors.tools.limits",
        "def later() -> None:\n    from actors.tools import limits",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from actors.tools import limits",
    ],
    ids=["at the top", "in a function", "for types only"],
)
def test_the_linter_finds_one_forbidden_line(line: str, tmp_path: Path) -> None:
    copy_packages(tmp_path)
    before = lint(tmp_path)
    broken = tmp_path / "actors" / "agent" / "turn.py"

    broken.write_text(f"{broken.read_text()}\n{line}\n")
    after = lint(tmp_path)

    assert (before.returncode, verdicts(before, "BROKEN")) == (0, [])
    assert (after.returncode, verdicts(after, "BROKEN")) == (1, ["actors never import one another"])
    assert len(verdicts(after, "KEPT")) == len(CONTRACTS) - 1


def test_no_modules_import_one_another_in_a_circle() -> None:
    graph = grimp.build_graph(*PACKAGES, "tests", cache_dir=None)

    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}

    assert circle(imports) == ""


def test_no_rooms_import_one_another_in_a_circle(graph: ImportGraph) -> None:
    circles = {package: circle(imports_between(graph, graph.find_children(package))) for package in graph.modules}

    assert {package: found for package, found in circles.items() if found} == {}


def test_a_circle_is_told_in_the_order_of_its_imports() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == "b -> c -> b"


def is_kept(contract: Contract, graph: ImportGraph) -> bool:
    check = KINDS[contract["type"]](contract["name"], CONFIGURATION["session_options"], contract)
    return check.check(deepcopy(graph), verbose=False).kept  # a check takes imports out of its graph


def bears(contract: Contract, graph: ImportGraph, importer: str, imported: str) -> bool:
    """Whether the contract is still kept when the innermost module of the one imports that of the other."""
    larger = deepcopy(graph)
    larger.add_import(importer=innermost(graph, importer), imported=innermost(graph, imported))
    return is_kept(contract, larger)


def innermost(graph: ImportGraph, package: str) -> str:
    return max(sorted({package} | graph.find_descendants(package)), key=lambda module: module.count("."))


def forbidden_imports(contract: Contract) -> list[tuple[str, str]]:
    """Importer and imported, as the contract names them: all pairs that it is there to refuse."""
    match contract["type"]:
        case "forbidden":
            return list(product(contract["source_modules"], contract["forbidden_modules"]))
        case "independence":
            return list(permutations(contract["modules"], 2))
        case "layers":
            return [pair for package in contract["containers"] for pair in upward_imports(package, contract["layers"])]
        case kind:
            raise AssertionError(f"nobody knows yet how to break a contract of the kind {kind}")


def upward_imports(package: str, layers: list[str]) -> list[tuple[str, str]]:
    """From each floor to those above it; and beside one another where the contract says `|` and not `:`."""
    floors = [[f"{package}.{name.strip()}" for name in layer.replace("|", ":").split(":")] for layer in layers]
    upward = [pair for above, below in combinations(floors, 2) for pair in product(below, above)]
    beside = [
        pair for layer, floor in zip(layers, floors, strict=True) if "|" in layer for pair in permutations(floor, 2)
    ]
    return upward + beside


def copy_packages(folder: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", folder)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    wide = {**os.environ, "COLUMNS": "200"}  # a verdict stands on the line of its contract
    return subprocess.run(
        [sys.executable, "-c", command], cwd=folder, env=wide, capture_output=True, text=True, check=False
    )


def verdicts(ran: subprocess.CompletedProcess[str], verdict: str) -> list[str]:
    """Names of contracts; behind a verdict may stand what was ignored."""
    lines = [line.partition(" (")[0] for line in ran.stdout.splitlines()]
    return [line.removesuffix(verdict).strip() for line in lines if line.endswith(f" {verdict}")]


def imports_between(graph: ImportGraph, rooms: set[str]) -> dict[str, set[str]]:
    return {
        room: {
            other
            for other in rooms - {room}
            if graph.direct_import_exists(importer=room, imported=other, as_packages=True)
        }
        for room in rooms
    }


def circle(imports: dict[str, set[str]]) -> str:
    """One circle in the imports, or nothing."""
    try:
        TopologicalSorter({name: sorted(imports[name]) for name in sorted(imports)}).prepare()
    except CycleError as error:
        return " -> ".join(reversed(error.args[1]))
    return ""

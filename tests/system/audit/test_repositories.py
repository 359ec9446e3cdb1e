"""Audits of repositories of others, as packages have them; where none can be had there is only the one made here."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.system.audit.service import Service, finding, one_a_file, serving
from tests.system.audit.test_audit import without_time
from tests.system.harness import Place, answer

pytestmark = pytest.mark.slow
MADE = "made here"
SMALL, LARGE = ("requests==2.32.3", "flask==3.0.3"), "ansible-core==2.17.0"
LEAST_FILES = {MADE: 50, "requests==2.32.3": 60, "flask==3.0.3": 150, LARGE: 2000}
PART = {LARGE: "ansible_core-2.17.0/test/integration"}
"""Of one that is larger than it need be: 3,200 files."""
SCRIPTED = json.dumps({"findings": [finding("no/such.py", "eval(it)")]})
Get = Callable[[str], Path]


@pytest.fixture(scope="module")
def get(tmp_path_factory: pytest.TempPathFactory) -> Get:
    """The folder of an unpacked source distribution, fetched once."""
    top = tmp_path_factory.mktemp("packages")

    def unpacked(package: str) -> Path:
        folder = top / package.replace("=", "_")
        if not folder.exists():
            begun = top / "begun"
            begun.mkdir(exist_ok=True)
            make(begun) if package == MADE else fetch(package, begun)
            begun.rename(folder)
        return folder / PART.get(package, "")

    return unpacked


def make(folder: Path) -> None:
    for number in range(60):
        within = folder / f"package_{number % 5}"
        within.mkdir(exist_ok=True)
        lines = "".join(f"result_{number}_{line} = work_on(value_{line})\n" for line in range(10 + 20 * (number % 9)))
        (within / f"module_{number}.py").write_text(lines)


def fetch(package: str, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(folder)]
    ran = subprocess.run([*command, package], capture_output=True, text=True, timeout=300, check=False)
    if ran.returncode:
        pytest.skip(f"{package} cannot be had here: {ran.stderr.strip()[-200:]}")
    (archive,) = folder.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", str(archive), "-C", str(folder)], check=True)
    archive.unlink()


def audited(place: Place, folder: Path, name: str, *more: str) -> str:
    """Its report, without its time."""
    finished = place.run("audit", "--cwd", str(folder), "--out", str(folder / name), "--yes", *more)
    assert finished.code == 0, finished.err
    report = (folder / name).read_text()
    (folder / name).unlink()
    return without_time(report)


@pytest.mark.parametrize("package", [MADE, *SMALL, LARGE])
def test_the_scripted_model_gives_the_same_report_twice(place: Place, get: Get, package: str) -> None:
    model = place.script(end=answer(SCRIPTED, usage={"input_tokens": 10, "output_tokens": 5, "cost_usd": 0.001}))
    common = ("--max-chunks", "400", "--workers", "8", "--format", "json", "--model", model)

    first = audited(place, get(package), "a.json", *common)
    second = audited(place, get(package), "a.json", *common)

    told = json.loads(first.replace("TIME", '"written_at": 0'))
    assert first == second
    assert told["transparency"]["files"] > LEAST_FILES[package]
    assert [one["placed"] for one in told["findings"]] == [False]


@pytest.mark.parametrize("package", [MADE, *SMALL, LARGE])
def test_a_service_gives_the_same_report_twice_in_whichever_order_it_answers(
    place: Place, get: Get, package: str
) -> None:
    with serving(one_a_file) as service:
        service.configure(place.home, context=16_000 if package == MADE else 200_000)
        common = ("--max-chunks", "400", "--workers", "8", "--format", "sarif")
        first = audited(place, get(package), "a.sarif", *common)
        asked = prompts(service)
        second = audited(place, get(package), "a.sarif", *common)

    (run,) = json.loads(first)["runs"]
    folder = get(package)
    assert first == second
    assert len(asked) == len(set(asked)) == len(prompts(service)) / 2
    assert len({path for question in service.asked for path in question.paths}) > LEAST_FILES[package]
    for result in run["results"][:200]:
        check_place(folder, result["locations"][0]["physicalLocation"])


def prompts(service: Service) -> list[str]:
    return [question.prompt for question in service.asked]


def check_place(folder: Path, place: dict[str, dict[str, object]]) -> None:
    """It exists, and the lines are there."""
    path = folder / str(place["artifactLocation"]["uri"]).replace("%20", " ")
    last = place["region"]["endLine"]
    assert isinstance(last, int)
    assert 1 <= last <= len(path.read_bytes().splitlines())

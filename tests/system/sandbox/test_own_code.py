"""Trouper that runs from the workspace: what commands there change of it is never run."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT
from tests.system.harness import Finished, Place, answer, call

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]
PACKAGES = next(place for place in sys.path if place.endswith("site-packages"))
PLANT = """
for each in actors/__init__.py actors/confinement/sandbox/kernel/launcher.py actors/tools/shell/bash.py \\
    supervisor/process/host.py ui/cli/main.py {site}/x.pth
do echo "{line}" >> $each; done
mv .venv old; mv actors old; rm -rf ui; mv deep away
for each in json psutil brotli trio sitecustomize; do echo "{line}" > $each.py; done
false
"""


class Checkout(Place):
    """Worked on with itself: the packages, and an environment into which it is installed as it lies there."""

    def __init__(self, top: Path, environment: Path) -> None:
        super().__init__(top)
        for name in ("actors", "supervisor", "ui"):
            shutil.copytree(ROOT / name, self.workspace / name, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", top / environment], check=True)
        self.site = next((top / environment).glob("lib/python*/site-packages"))
        (self.site / "installed.pth").write_text(f"{PACKAGES}\n{self.workspace}\n")
        self.python = top / environment / "bin" / "python"
        self.canary = top / "canary"

    def itself(self, *arguments: str) -> Finished:
        command = [self.python, "-P", self.workspace / "ui" / "launch.py", *arguments]
        ran = subprocess.run(
            command, cwd=self.workspace, env=self.environment, capture_output=True, text=True, check=False
        )
        return Finished(ran.returncode, ran.stdout, ran.stderr)

    def bash(self, command: str, *flags: str) -> str:
        """What the model gets."""
        model = self.script(answer("", call("bash", command=command)), answer("done"))
        events = self.itself("-p", "go on", "--output", "stream-json", "--model", model, *flags).events
        return next(str(event["output"]) for event in events if event["type"] == "tool_result")


@pytest.mark.parametrize(
    ("level", "environment"),
    [
        ("bubblewrap", "work/.venv"),
        ("bubblewrap", "work/deep/env"),
        ("bubblewrap", "env"),
        ("namespaces", "work/.venv"),
    ],
)
def test_what_a_command_changes_of_it_is_never_run(tmp_path: Path, level: str, environment: str) -> None:
    place = Checkout(tmp_path, Path(environment))
    (place.home / "config.toml").write_text(f'sandbox = "{level}"\n')
    if f" {level}" not in place.itself("doctor").out:
        pytest.skip(f"there is no {level} here")
    line = f"import os; open('{place.canary}', 'a').write(__name__)"

    (place.workspace / "plant.sh").write_text(PLANT.format(line=line, site=place.site))
    said = place.bash("sh plant.sh", "--mode", "auto")
    place.bash("true", "--mode", "auto")
    place.itself("tools", "call", "bash", '{"command": "id", "unsandboxed": true, "why": "x"}', "--allow", "Bash(id)")

    assert not place.canary.exists(), place.canary.read_text()
    assert (place.workspace / "brotli.py").exists(), "the command ran"
    assert "sitecustomize.py appeared, which runs whenever Trouper starts: renamed" in said
    assert "Trouper itself runs from" in said


def test_where_it_cannot_be_protected_every_command_asks(tmp_path: Path) -> None:
    place = Checkout(tmp_path, Path("env"))
    (place.workspace / ".venv").symlink_to(tmp_path / "env")
    place.python = place.workspace / ".venv" / "bin" / "python"

    ran = place.itself("tools", "call", "bash", '{"command": "true"}', "--mode", "auto")
    written = place.itself("tools", "call", "write", '{"path": ".venv/bin/x", "content": ""}', "--mode", "auto")

    assert ran.code == 3
    assert f"Trouper itself runs from {place.workspace}/.venv" in ran.err
    assert written.code != 0
    assert not (tmp_path / "env" / "bin" / "x").exists()

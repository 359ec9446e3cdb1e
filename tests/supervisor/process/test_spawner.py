"""What starting processes needs of this one."""

import subprocess
import sys

import pytest

from tests import ROOT

MORE = """
import resource, sys
from supervisor.process.spawner import more_descriptors
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
more_descriptors()
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("soft", "hard", "reached"),
    [(256, 4096, 4096), (256, 256, 256), (4096, 4096, 4096)],
    ids=["the usual limit is raised", "a hard limit stays", "what is enough is left"],
)
def test_descriptors_for_a_whole_batch(soft: int, hard: int, reached: int) -> None:
    command = [sys.executable, "-c", MORE, str(soft), str(hard)]

    limits = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert limits.split() == [str(reached), str(hard)]

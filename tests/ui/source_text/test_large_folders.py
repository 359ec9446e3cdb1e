"""Memory does not grow with what is in the files, hardly with their number, and nothing takes for ever."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

pytestmark = pytest.mark.slow
LOOK = """
import sys
from pathlib import Path
from tests.ui.source_text.test_large_folders import looked_at
print(*looked_at(Path(sys.argv[1]), texts=bool(sys.argv[2])))
"""
KB = 1024


def looked_at(root: Path, *, texts: bool) -> tuple[int, int]:
    """Files, and KB of memory at the most, of this whole process. texts: all that is sent of them is made, too."""
    from ui.source_text.chunks import chunks, render, whole
    from ui.source_text.collected import collect
    from ui.source_text.manifest import manifest
    from ui.source_text.security_index import as_text, security_index

    collection = collect(root)
    assert manifest(collection, 1_000)
    found = chunks(root, [whole(file) for file in collection.files], 40_000)
    if texts:
        assert as_text(security_index(root, collection.files), 1_000)
        assert all(render(root, chunk) for chunk in found)
    return len(collection.files), peak_kb()


def peak_kb() -> int:
    """On Linux `ru_maxrss` begins with that of the process which started this one."""
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // KB
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1])


def in_a_process_of_its_own(root: Path, *, texts: bool) -> tuple[int, int]:
    argv = [sys.executable, "-c", LOOK, str(root), "texts" * texts]
    ran = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True)
    files, peak = map(int, ran.stdout.split())
    return files, peak


def test_memory_does_not_grow_with_the_texts(tmp_path: Path) -> None:
    text = "".join(f"x{number} = '{'y' * 80}'\n" for number in range(4_000))
    for folder, number in (("small", 2), ("large", 42)):
        (tmp_path / folder).mkdir()
        for at in range(number):
            (tmp_path / folder / f"{at}.py").write_text(f"eval({at})\n{text}")

    files, small = in_a_process_of_its_own(tmp_path / "small", texts=True)
    many, large = in_a_process_of_its_own(tmp_path / "large", texts=True)

    assert (files, many) == (2, 42)
    assert large - small < (many - files) * len(text) / KB / 4


def test_a_hundred_thousand_files_are_looked_at(tmp_path: Path) -> None:
    for folder in range(1_000):
        (tmp_path / str(folder)).mkdir()
        for number in range(100):
            (tmp_path / str(folder) / f"{number}.py").write_text(f"eval({number})\n")

    files, peak = in_a_process_of_its_own(tmp_path, texts=False)

    assert files == 100_000
    assert peak < 200 * KB

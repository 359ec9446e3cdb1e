"""A module comes from the file only where Python would find the same one; whatever happens to the file, all goes on."""

import marshal
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

PROGRAM = """
import sys
{before}
sys.path[:0] = sys.argv[1].split(":")
from actors.common.lean import code_cache
code_cache.use()
import sample.part, sample
print(sample.part.WORD, type(sample.part.__loader__).__name__)
{more}
cache = code_cache.in_use()
if cache.lacks(["sample.other", "sample.missing"]):
    from actors.common.lean import code_cache_writer
    print("writes")
    code_cache_writer.PATIENCE_S = 300.0  # on a machine that is busy it would go on alone
    code_cache_writer.keep(cache, ["sample.other", "sample.missing"])
"""


class Sample:
    """A package beside a copy of ours."""

    def __init__(self, top: Path) -> None:
        self.top = top
        shutil.copytree(ROOT / "actors/common/lean", top / "actors/common/lean", ignore=shutil.ignore_patterns("__py*"))
        shutil.copy(ROOT / "actors/common/small_files.py", top / "actors/common")
        for folder in ("actors", "actors/common", "sample"):
            (top / folder).mkdir(exist_ok=True)
            (top / folder / "__init__.py").write_text("")
        self.part = top / "sample" / "part.py"
        self.part.write_text('WORD = "one"\n')
        (top / "sample" / "other.py").write_text('WORD = "other"\n')
        self.path = [str(top)]

    @property
    def file(self) -> Path:
        return next((self.top / "actors/common/lean").glob("__pycache__/*.all"))

    @property
    def files(self) -> list[Path]:
        return sorted((self.top / "actors/common/lean").glob("__pycache__/*.all*"))

    def run(self, more: str = "", *options: str, before: str = "", **environment: str) -> list[str]:
        """The lines that it says."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        command = [sys.executable, *options, "-c", PROGRAM.format(before=before, more=more), ":".join(self.path)]
        ran = subprocess.run(command, env=kept | environment, capture_output=True, text=True, check=False)
        assert ran.stderr == ""
        return ran.stdout.splitlines()


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    """One that has run, so that its code is kept."""
    made = Sample(tmp_path)
    assert made.run() == ["one SourceFileLoader", "writes"]
    return made


def test_what_was_imported_once_comes_from_the_file(sample: Sample) -> None:
    more = "import sample.other; print(type(sample.other.__loader__).__name__, sample.other.WORD)"

    assert sample.run(more) == ["one CachedLoader", "CachedLoader other"]


def test_it_is_written_once_although_something_cannot_be_kept(sample: Sample) -> None:
    before = sample.file.stat().st_ino

    assert sample.run() == ["one CachedLoader"]
    assert sample.file.stat().st_ino == before


def test_a_kept_module_tells_where_it_is_from(sample: Sample) -> None:
    more = "import inspect; print(sample.part.__file__, sample.__path__, inspect.getsource(sample.part).strip())"

    assert sample.run(more)[1] == f"""{sample.part} ['{sample.part.parent}'] WORD = "one\""""


def test_a_changed_source_is_imported_anew_even_with_its_old_time_and_size(sample: Sample) -> None:
    before = sample.part.stat()
    sample.part.write_text('WORD = "two"\n')
    shutil.rmtree(sample.part.parent / "__pycache__")  # Python itself would go by time and size
    os.utime(sample.part, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert sample.run() == ["two SourceFileLoader", "writes"]
    assert sample.run() == ["two CachedLoader"]


def test_another_file_put_in_its_place_is_imported(sample: Sample) -> None:
    new = sample.part.with_name("new")
    new.write_text('WORD = "another"\n')
    new.replace(sample.part)

    assert sample.run()[0] == "another SourceFileLoader"


def test_what_hides_a_kept_module_is_found(sample: Sample) -> None:
    package = sample.part.with_suffix("")
    package.mkdir()
    (package / "__init__.py").write_text('WORD = "package"\n')

    assert sample.run() == ["package SourceFileLoader", "writes"]
    assert sample.run() == ["package CachedLoader"]


def test_along_another_import_path_nothing_is_kept(sample: Sample, tmp_path: Path) -> None:
    before = tmp_path / "before"
    (before / "sample").mkdir(parents=True)
    (before / "sample" / "__init__.py").write_text("")
    (before / "sample" / "part.py").write_text('WORD = "before"\n')
    sample.path = [str(before), *sample.path]

    assert sample.run()[0] == "before SourceFileLoader"


def test_a_package_that_looks_elsewhere_for_its_modules_is_asked(sample: Sample, tmp_path: Path) -> None:
    (sample.top / "sample" / "__init__.py").write_text(f"__path__.insert(0, {str(tmp_path / 'first')!r})\n")
    sample.run()
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "part.py").write_text('WORD = "first"\n')

    assert sample.run()[0] == "first SourceFileLoader"


@pytest.mark.parametrize("length", [0, 5, 100, -1])
def test_a_file_that_was_cut_is_none_and_is_written_again(sample: Sample, length: int) -> None:
    sample.file.write_bytes(sample.file.read_bytes()[:length])

    assert sample.run() == ["one SourceFileLoader", "writes"]
    assert sample.run() == ["one CachedLoader"]


@pytest.mark.parametrize("byte", [b"\0", b"\xff", b"N"])
def test_a_file_that_is_something_else_is_none(sample: Sample, byte: bytes) -> None:
    sample.file.write_bytes(byte * sample.file.stat().st_size)

    assert sample.run() == ["one SourceFileLoader", "writes"]


def test_a_code_that_wants_all_memory_is_none(sample: Sample) -> None:
    endless = b"[\xff\xff\xff\x7f"  # a list of 2^31 - 1, for marshal
    whole = sample.file.read_bytes()
    begin = 12 + int.from_bytes(whole[:8], "little")
    begin += marshal.loads(whole[12:begin])[2][0]["sample.part"][2]  # noqa: S302
    sample.file.write_bytes(whole[:begin] + endless + whole[begin + len(endless) :])
    bounded = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))"

    assert sample.run(before=bounded) == ["one CachedLoader", "writes"]
    assert sample.run() == ["one CachedLoader"]


def test_a_changed_header_is_none(sample: Sample) -> None:
    whole = bytearray(sample.file.read_bytes())
    whole[1000] ^= 1
    sample.file.write_bytes(whole)

    assert sample.run() == ["one SourceFileLoader", "writes"]
    assert sample.run() == ["one CachedLoader"]


def test_codes_that_the_disk_has_lost_are_read_where_python_keeps_them(sample: Sample) -> None:
    whole = sample.file.read_bytes()
    begin = 12 + int.from_bytes(whole[:8], "little")
    sample.file.write_bytes(whole[:begin] + bytes(len(whole) - begin))

    assert sample.run() == ["one CachedLoader", "writes"]
    assert sample.run() == ["one CachedLoader"]


def test_who_has_it_open_keeps_the_old_one_while_it_is_replaced(sample: Sample) -> None:
    replaced = (
        f"import os; os.unlink({str(sample.file)!r}); open({str(sample.file)!r}, 'w').close(); import sample.other"
    )

    assert sample.run(f"{replaced}; print(sample.other.WORD)")[:2] == ["one CachedLoader", "other"]


def test_where_there_is_no_room_on_the_disk_nothing_is_left(sample: Sample) -> None:
    sample.file.unlink()
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"

    assert sample.run(full) == ["one SourceFileLoader", "writes"]
    assert sample.files == []


def test_who_wants_no_code_written_gets_none(sample: Sample) -> None:
    sample.file.unlink()

    assert sample.run("", "-B") == ["one SourceFileLoader", "writes"]
    assert sample.files == []


def test_two_at_once_write_one(sample: Sample) -> None:
    sample.file.unlink()
    twice = "import os; os.fork()"

    assert sorted(sample.run(twice)).count("writes") == 2
    assert sample.files == [sample.file]
    assert sample.run() == ["one CachedLoader"]


def test_nobody_else_may_write_it_whatever_the_mask(sample: Sample) -> None:
    sample.file.unlink()

    assert sample.run("import os; os.umask(0)") == ["one SourceFileLoader", "writes"]
    assert sample.file.stat().st_mode & 0o022 == 0


def test_where_python_keeps_no_code_nothing_is_written(sample: Sample, tmp_path: Path) -> None:
    sample.file.unlink()
    nowhere = f"""
import os
from actors.common.lean import code_cache_writer
code_cache_writer.FILE = ""
os.chdir({str(tmp_path)!r})
"""
    before = sorted(tmp_path.iterdir())

    assert sample.run(nowhere) == ["one SourceFileLoader", "writes"]
    assert sorted(tmp_path.iterdir()) == before


def test_what_was_loaded_by_its_file_is_not_found_by_its_name(sample: Sample, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "plugin.py").write_text("WORD = 1\n")
    by_file = f"""
from importlib import util
spec = util.spec_from_file_location("plugin", {str(tmp_path / "elsewhere" / "plugin.py")!r})
sys.modules["plugin"] = util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["plugin"])
"""
    assert sample.run(by_file)[-1] == "writes"
    assert sample.run(by_file) == ["one CachedLoader"]

    assert sample.run("from importlib import util; print(util.find_spec('plugin'))")[1] == "None"


def test_the_scripts_of_attrs_are_compiled_once_whatever_the_seed(sample: Sample) -> None:
    sample.file.unlink()
    counted = """
compiled = []
def note(event, given):
    if event == "compile" and "attrs" in str(given[1]):
        compiled.append(given)

sys.addaudithook(note)
import attrs

@attrs.frozen
class Point:
    x: int
    y: int = attrs.field(default=2, validator=attrs.validators.instance_of(int))

print(len(compiled), Point(1), Point(1) == Point(1), {Point(1): "found"}[Point(1)])
"""
    first = sample.run(counted, PYTHONHASHSEED="1")
    second = sample.run(counted, PYTHONHASHSEED="2")

    assert first[1].split(" ", 1)[1] == second[1].split(" ", 1)[1] == "Point(x=1, y=2) True found"
    assert int(first[1].split()[0]) > 0
    assert int(second[1].split()[0]) == 0

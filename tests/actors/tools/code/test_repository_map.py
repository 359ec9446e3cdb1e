"""The map of a real folder: what is on it, what is not, and how large it gets."""

from pathlib import Path

from actors.messages.tool import Grant
from actors.tools.base import Worker
from actors.tools.code.repository_map import CHARS_A_TOKEN, map_repository


def _fill(folder: Path) -> None:
    (folder / "src").mkdir()
    (folder / "src" / "core.py").write_text("class Store:\n    def load(self): ...\n\n\ndef unused(): ...\n")
    for number in range(5):
        (folder / f"user{number}.py").write_text(f"def step{number}():\n    Store().load()\n")
    (folder / "secret.py").write_text("def hidden_thing(): ...\n")
    (folder / "notes.txt").write_text("class Nothing:\n")
    (folder / ".gitignore").write_text("built.py\n")
    (folder / ".git").mkdir()
    (folder / "built.py").write_text("def generated(): ...\n")


async def test_the_map_names_what_is_used_and_where(folder: Path, worker: Worker) -> None:
    _fill(folder)

    text = await map_repository(worker, 500)

    assert "src/core.py\n  1: class Store\n    2: def load(self): ..." in text
    assert "generated" not in text
    assert "Nothing" not in text


async def test_a_small_budget_keeps_the_most_used(folder: Path, worker: Worker) -> None:
    _fill(folder)

    text = await map_repository(worker, 20)

    assert text.startswith("src/core.py\n")
    assert len(text) <= 20 * CHARS_A_TOKEN


async def test_files_that_may_not_be_read_are_not_on_it(folder: Path, worker: Worker) -> None:
    _fill(folder)

    text = await map_repository(worker.granted(Grant(paths=(str(folder),), hidden=("secret.py",))), 500)

    assert "hidden_thing" not in text


async def test_a_folder_without_code_has_no_map(folder: Path, worker: Worker) -> None:
    (folder / "README.md").write_text("# Nothing\n")

    assert await map_repository(worker, 500) == ""

"""What goes into one question: whole files where they fit, and all of what is cut comes back together."""

from pathlib import Path

from ui.source_text.chunks import chunks, render, whole
from ui.source_text.collected import collect


def test_a_small_folder_is_one_question(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import os\nprint(os.name)\n")
    (tmp_path / "b.py").write_text("x = 1")

    files = collect(tmp_path).files
    (only,) = chunks(tmp_path, [whole(file) for file in files], 1_000)

    assert [(part.path, part.first_line, part.last_line) for part in only.parts] == [("a.py", 1, 2), ("b.py", 1, 1)]
    assert "1|import os\n2|print(os.name)\n</source-" in render(tmp_path, only)

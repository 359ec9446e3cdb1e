"""Whether what an answer says of a chunk of the workspace is true of the files. It reads them again: in a thread."""

from collections.abc import Iterable
from pathlib import Path

from ui.findings.finding import Raw
from ui.findings.placing import Checked, check_all
from ui.source_text.chunks import Chunk
from ui.source_text.reading import text_of
from ui.source_text.source_file import Changed


def checked(root: Path, chunk: Chunk, raws: Iterable[Raw]) -> Checked:
    files = {part.path: part.file for part in chunk.parts}

    def text(path: str) -> str | None:
        try:
            return text_of(root, files[path])
        except Changed:
            return None

    return check_all(raws, files, text)

"""Images of the clipboard, by a tool that behaves like the real one."""

import sys
from pathlib import Path

import pytest

from ui.common.attached_files import NotAttachable
from ui.common.clipboard_image import taken

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What `wl-paste` gives is in this file."""
    given = tmp_path / "clipboard"
    program = tmp_path / "bin" / "wl-paste"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.stdout.buffer.write(open({str(given)!r}, 'rb').read())\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    return given


async def test_an_image_is_kept_as_a_file_that_nobody_else_reads(tool: Path, tmp_path: Path) -> None:
    tool.write_bytes(PNG)

    file = await taken(tmp_path / "kept")

    assert (file.media_type, file.size) == ("image/png", len(PNG))
    assert Path(file.path).read_bytes() == PNG
    assert Path(file.path).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("data", "why"), [(b"", "no image in the clipboard"), (b"words", "is none of PNG")])
async def test_what_is_no_image_is_refused_in_words(tool: Path, tmp_path: Path, data: bytes, why: str) -> None:
    tool.write_bytes(data)

    with pytest.raises(NotAttachable, match=why):
        await taken(tmp_path / "kept")


async def test_without_a_tool_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NotAttachable, match="needs wl-paste, xclip or pngpaste"):
        await taken(tmp_path)

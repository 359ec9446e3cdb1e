"""Which files are sent: what nobody may see, what is no file and what is too much is left out and counted."""

import os
import re
import socket
from pathlib import Path

import pytest

from actors.settings.redaction import MARK
from tests.planted_secrets import ALL
from tests.repositories import git
from ui.source_text import reading
from ui.source_text.changes import changes
from ui.source_text.collected import MOST_SKIPPED, collect
from ui.source_text.reading import NotRegular, read, text_of
from ui.source_text.source_file import CannotCollect, Changed, Collection, SourceFile


def paths(found: Collection) -> list[str]:
    return [file.path for file in found.files]


def skipped(found: Collection) -> dict[str, str]:
    return {each.path: each.reason for each in found.skipped}


def test_what_is_known_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("x = 1\n\ny = 2")

    assert collect(tmp_path).files == (
        SourceFile(
            path="src/a.py",
            bytes=12,
            lines=3,
            sha256="57774a24f1e6fd522042c69d405b7e24d9ae4d5ce938d791037d131240fe371f",
            tokens=5,
        ),
    )


def test_ignore_files_count_also_without_git_and_above(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("above.py\n")
    (root / ".gitignore").write_text("build/\n*.log\n")
    (root / "sub" / ".ignore").write_text("vendored.py\n")
    for name in ("a.py", "above.py", "x.log", "sub/vendored.py", "sub/b.py"):
        (root / name).write_text("x\n")

    assert paths(collect(root)) == [".gitignore", "a.py", "sub/.ignore", "sub/b.py"]


def test_histories_and_what_is_installed_are_left_out(tmp_path: Path) -> None:
    for folder in (".git", ".hg/store", ".svn/pristine", "web/node_modules/x", ".venv/lib", ".github", "src"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.py").write_text("x\n")

    assert paths(collect(tmp_path)) == [".github/a.py", "src/a.py"]


def test_what_git_tracks_and_ignore_files_hide_is_counted(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for name in ("a.py", "evil.py", "id_rsa"):
        (tmp_path / name).write_text("x\n")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    git(tmp_path, "add", ".")
    (tmp_path / ".ignore").write_text("evil.py\nid_rsa\n")

    found = collect(tmp_path)

    assert paths(found) == [".ignore", "a.py"]
    assert skipped(found) == {"evil.py": "ignored", "id_rsa": "secret file", "link.py": "not a regular file"}


def test_only_what_is_wanted(tmp_path: Path) -> None:
    for name in ("a/x.py", "a/y.py", "b/x.py", "-c.py", "d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n")

    assert paths(collect(tmp_path, ("a", "-c.py", str(tmp_path / "d.py")))) == ["-c.py", "a/x.py", "a/y.py", "d.py"]


@pytest.mark.parametrize("wanted", ["..", "../beside", "/etc", "out", "out/passwd", "nowhere"])
def test_nothing_outside_can_be_wanted(tmp_path: Path, wanted: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "beside").mkdir()
    (root / "out").symlink_to("/etc")

    with pytest.raises(CannotCollect, match=r"is outside of|There is no"):
        collect(root, (wanted,))


def test_own_reports_and_what_rules_close_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    for name in ("ISSUES.md", "a.py", "private/b.py", "c.SQL"):
        (tmp_path / name).write_text("x\n")

    found = collect(tmp_path, keep_out=(tmp_path / "ISSUES.md",), hidden=("private/**", "*.sql"))

    assert paths(found) == ["a.py"]
    assert skipped(found) == {
        "ISSUES.md": "own report",
        "c.SQL": "closed by a rule",
        "private/b.py": "closed by a rule",
    }


@pytest.mark.parametrize("below", [".", ".codex", ".codex/deeper"])
def test_what_programs_keep_in_the_home_folder_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "notes.md").write_text("x\n")
    (tmp_path / ".gemini").symlink_to("dotfiles")
    (tmp_path / ".codex" / "deeper").mkdir(parents=True)
    (tmp_path / ".codex" / "deeper" / "notes.md").write_text("x\n")

    found = collect(tmp_path / below)

    assert paths(found) == []
    assert found.skipped_by_reason == {"secret file": 2 if below == "." else 1}


def test_what_is_no_text_of_people_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "bundle.min.js").write_text("x\n")
    (tmp_path / "long.txt").write_bytes(b"x\n" * 300_000)
    (tmp_path / "just.txt").write_bytes(b"x\n" * (256 * 1024))
    (tmp_path / "empty").touch()

    found = collect(tmp_path)

    assert paths(found) == ["just.txt"]
    assert found.skipped_by_reason == {"binary": 1, "empty": 1, "generated": 1, "too large": 1}


ENCODED = {
    "utf-8": ("größer = '✓'\n".encode(), "größer = '✓'\n"),
    "utf-8 with a mark": ("\ufeffx = 1\n".encode(), "x = 1\n"),
    "utf-16": ("größer\n".encode("utf-16"), "größer\n"),
    "utf-16 of another machine": (b"\xfe\xff" + "größer\n".encode("utf-16-be"), "größer\n"),
    "utf-32": ("größer\n".encode("utf-32"), "größer\n"),
    "latin-1": ("größer\n".encode("latin-1"), "größer\n"),
    "broken utf-16": (b"\xff\xfea\0b", "a\ufffd"),
    "old line ends": (b"a\rb\r\nc\n", "a\nb\nc\n"),
    "hidden and steering": ("a\u202eb\u200bc\x1b[2J\td\n".encode(), "a\\u202eb\\u200bc\\x1b[2J\td\n"),
}


@pytest.mark.parametrize("encoding", ENCODED)
def test_a_text_is_read_whatever_its_encoding(tmp_path: Path, encoding: str) -> None:
    data, expected = ENCODED[encoding]
    (tmp_path / "a.txt").write_bytes(data)

    (file,) = collect(tmp_path).files

    assert text_of(tmp_path, file) == expected
    assert file.lines == expected.count("\n") + (not expected.endswith("\n"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["a.py", "deep/notes", ".hidden", "config.yml", "a.env.example", "LICENSE"])
def test_no_planted_secret_is_sent(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes("\n\n".join(planted.text for planted in ALL.values()).encode(encoding))

    (file,) = collect(tmp_path).files
    text = text_of(tmp_path, file)

    assert [
        kind for kind, planted in ALL.items() if any(line in text for line in planted.secret.split("\n") if line)
    ] == []
    assert text.count("\n") + 1 == file.lines


def test_of_an_endless_line_both_ends_are_sent(tmp_path: Path) -> None:
    """To leave the file out would let one line hide all the others."""
    (tmp_path / "a.py").write_text(f"eval(x)\n# {'y' * 30_000} secret='{'correct' * 3}'\nexec(x)\n")

    (file,) = collect(tmp_path).files
    first, endless, last, end = text_of(tmp_path, file).split("\n")

    assert (first, last, end, file.lines) == ("eval(x)", "exec(x)", "", 3)
    assert re.fullmatch(
        rf"# y{{1998}} \[\.\.\. [\d,]+ characters left out \.\.\.] y+ secret='{re.escape(MARK)}'", endless
    )
    assert file.tokens < 1_100


HIDES = {
    "by the words before a key": "# -----BEGIN RSA PRIVATE KEY-----\nimport os\nos.system('evil')\n",
    "between the ends of a key": "-----BEGIN PRIVATE KEY-----\nos.system('evil')\nreboot\n-----END PRIVATE KEY-----\n",
    "as a password": "password = os.system('evil')\ntoken=exec(evil)\n",
    "in an address": "x = 'http://a:b@c'; os.system('evil')\n",
}


@pytest.mark.parametrize("how", HIDES)
def test_code_cannot_hide_as_a_secret(tmp_path: Path, how: str) -> None:
    (tmp_path / "a.py").write_text(HIDES[how])

    (file,) = collect(tmp_path).files

    assert "evil" in text_of(tmp_path, file)


def test_what_is_no_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("outside = 1\n")
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "a.py").write_text("x\n")
    os.mkfifo(root / "pipe.py")
    monkeypatch.chdir(root)  # the name of a socket can be no longer than this
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.py")
        (root / "link.py").symlink_to(outside / "secret.py")
        (root / "device.py").symlink_to("/dev/zero")
        (root / "folder").symlink_to(outside)
        (root / "sub" / "circle").symlink_to(root)
        (root / "self").symlink_to("self")
        (root / "gone.py").symlink_to("nowhere")

        assert paths(collect(root)) == ["a.py"]
        for name in ("pipe.py", "socket.py", "link.py", "device.py", "self", "gone.py", "folder/secret.py"):
            with pytest.raises(NotRegular):
                read(root, name)
        with pytest.raises(OSError, match="not a regular file"):
            read(root, "sub/circle/a.py")


def test_a_pipe_that_is_wanted_by_name_is_counted(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")

    assert collect(tmp_path, ("pipe.py",)).skipped_by_reason == {"not a regular file": 1}


def test_a_file_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "other").mkdir()
    for folder in ("sub", "other"):
        (tmp_path / folder / "a.py").write_text("x\n")
    files = collect(tmp_path).files
    (tmp_path / "sub" / "a.py").unlink()
    (tmp_path / "sub").rmdir()
    (tmp_path / "sub").symlink_to("other")

    with pytest.raises(Changed):
        text_of(tmp_path, files[1])


def test_a_name_that_could_be_taken_for_another_is_left_out(tmp_path: Path) -> None:
    names = [b"a\nb.py", b"\x1b[2J.py", b"\xff.py", "x\u202e.py".encode(), "\u200bx.py".encode(), b"c.py", b" d.py"]
    for name in names:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("x\n")

    found = collect(tmp_path)

    assert paths(found) == ["c.py"]
    assert found.skipped_by_reason == {"unprintable name": 6}
    assert all(each.path.isprintable() and each.path.encode() for each in found.skipped)


def test_a_name_that_is_a_secret_is_not_told(tmp_path: Path) -> None:
    secret = ALL["GitHub"].secret
    (tmp_path / f"{secret}.py").write_text("x\n")
    (tmp_path / secret).mkdir()
    (tmp_path / secret / "a.py").write_text("x\n")

    found = collect(tmp_path)

    assert paths(found) == []
    assert [each.path for each in found.skipped] == [f"{MARK}.py", f"{MARK}/a.py"]


def test_a_sparse_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.txt").open("wb") as file:
        file.truncate(1 << 30)

    assert collect(tmp_path).skipped_by_reason == {"too large": 1}


@pytest.mark.parametrize("name", [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"])
@pytest.mark.parametrize("kind", ["pipe", "device", "huge"])
@pytest.mark.parametrize("where", [".", "sub"])
def test_an_ignore_file_that_has_no_end_is_said(tmp_path: Path, name: str, kind: str, where: str) -> None:
    path = tmp_path / where / name
    path.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "a.py").write_text("x\n")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.touch()
        os.truncate(path, 1 << 30)

    with pytest.raises(CannotCollect, match=r"(is a device or a pipe|is longer than 1 MB), so .* Remove it"):
        collect(tmp_path)


@pytest.mark.parametrize("name", ["index", "HEAD", "config", "info/attributes", "objects/info/alternates"])
def test_a_pipe_among_the_files_of_git_holds_nothing_up(tmp_path: Path, name: str) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("x\n")
    git(tmp_path, "add", ".")
    (tmp_path / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / ".git" / name)

    found = collect(tmp_path)

    assert paths(found) == ["a.py"]
    with pytest.raises(CannotCollect, match=rf"{name} is a pipe or a device\. Remove it"):
        changes(tmp_path, found.files, "HEAD")


def test_a_folder_may_be_called_like_an_ignore_file(tmp_path: Path) -> None:
    (tmp_path / ".ignore").mkdir()
    (tmp_path / ".ignore" / "a.py").write_text("x\n")

    assert paths(collect(tmp_path)) == [".ignore/a.py"]


def test_folders_deeper_than_a_path_can_say_hold_nothing_up(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x\n")
    within = os.open(tmp_path, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 100, dir_fd=within)
        deeper = os.open("d" * 100, os.O_RDONLY, dir_fd=within)
        os.close(within)
        within = deeper
    os.close(within)

    assert paths(collect(tmp_path)) == ["a.py"]


def test_the_same_folder_is_the_same_collection(tmp_path: Path) -> None:
    for number in range(300):
        folder = tmp_path / str(number % 7) / str(number % 3)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.py").write_text(f"x = {number}\n")
        (folder / f"{number}.lock").write_bytes(b"\0")

    first, second = collect(tmp_path), collect(tmp_path)

    assert first == second
    assert paths(first) == sorted(paths(first))
    assert [each.path for each in first.skipped] == sorted(each.path for each in first.skipped)


def test_of_many_that_are_left_out_the_first_are_named(tmp_path: Path) -> None:
    for number in range(MOST_SKIPPED + 50):
        (tmp_path / f"{number:05}.png").touch()

    found = collect(tmp_path)

    assert len(found.skipped) == MOST_SKIPPED
    assert found.skipped_by_reason == {"binary": MOST_SKIPPED + 50}


def test_a_file_that_may_not_be_read_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x\n")
    (tmp_path / "a.py").chmod(0)
    if os.access(tmp_path / "a.py", os.R_OK):
        pytest.skip("nothing is closed to root")

    assert collect(tmp_path).skipped_by_reason == {"unreadable": 1}


def test_a_file_grows_no_longer_than_may_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x" * (reading.MOST_BYTES + 1))

    with pytest.raises(reading.TooBig):
        read(tmp_path, "a.py")

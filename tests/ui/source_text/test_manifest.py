"""A folder in few words: the same for the same files, and no longer than there is room."""

from pathlib import Path

from actors.texts.token_estimate import of_text
from ui.source_text.collected import collect
from ui.source_text.languages import is_code, language
from ui.source_text.manifest import manifest


def write(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_languages_dependencies_folders_and_what_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"src/web/app.ts": "x\n" * 30, "src/main.py": "x\n" * 20, "pyproject.toml": "x\n"})
    write(tmp_path, {"src/web/package.json": "{}\n", "src/logo.png": "x", ".env": "x"})

    assert manifest(collect(tmp_path), 1_000) == (
        "4 files, 52 lines\n"
        "Languages: TypeScript (30 lines), Python (20 lines), JSON (1 line), TOML (1 line)\n"
        "Dependencies are named in: pyproject.toml, src/web/package.json\n"
        "Left out: binary: 1, secret file: 1\n"
        "Folders, with the files and lines in all of each:\n"
        "src/ 3 51\n"
        "src/web/ 2 31\n"
    )


def test_folders_are_as_deep_as_there_is_room(tmp_path: Path) -> None:
    for number in range(200):
        write(tmp_path, {f"{number % 4}/{number:03}/x.py": "x\n"})

    told = manifest(collect(tmp_path), 200)

    assert told.endswith("in all of each:\n0/ 50 50\n1/ 50 50\n2/ 50 50\n3/ 50 50\n")
    assert of_text(told) <= 200


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    assert manifest(collect(tmp_path), 1_000) == (
        "0 files, 0 lines\nLanguages: none\nDependencies are named in: no file\nLeft out: nothing\n"
        "Folders, with the files and lines in all of each:\n"
    )


def test_a_language_is_known_by_a_name() -> None:
    named = {name: language(name) for name in ("a/b.PY", "Dockerfile", "x/Gemfile", "README", "a.tar.unknown")}

    assert named == {
        "a/b.PY": "Python",
        "Dockerfile": "Docker",
        "x/Gemfile": "Ruby",
        "README": "Other",
        "a.tar.unknown": "Other",
    }
    assert [name for name in ("a.py", "a.tsx", "a.yml", "a.sh", "a.ini", "README", "a.go") if is_code(name)] == [
        "a.py",
        "a.tsx",
        "a.go",
    ]

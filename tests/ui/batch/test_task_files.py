"""Tasks are read in every form they may have, and what is wrong is named with its place before anything begins."""

import os
from pathlib import Path

import pytest

from ui.batch.task import Task
from ui.batch.task_files import read
from ui.common.usage_errors import Usage

ALL = Task(
    id="a",
    prompt="fix it",
    cwd="src",
    repo="r",
    commit="v1",
    model="p/m",
    mode="plan",
    effort="low",
    max_cost=0.5,
    max_tokens=1000,
    timeout="10m",
    max_turns=7,
    check="true",
    setup="make",
    tags=("x", "y"),
    attach=("a.png",),
    isolation="worktree",
)
JSON = (
    '{"id":"a","prompt":"fix it","cwd":"src","repo":"r","commit":"v1","model":"p/m","mode":"plan","effort":"low",'
    '"max_cost":0.5,"max_tokens":1000,"timeout":"10m","max_turns":7,"check":"true","setup":"make","tags":["x","y"],'
    '"attach":["a.png"],"isolation":"worktree"}\n'
)
FIELDS = """cwd{0}"src"
repo{0}"r"
commit{0}"v1"
model{0}"p/m"
mode{0}"plan"
effort{0}"low"
max_cost{0}0.5
max_tokens{0}1000
timeout{0}"10m"
max_turns{0}7
check{0}"true"
setup{0}"make"
isolation{0}"worktree"
"""
TOML = f'[[task]]\nid = "a"\nprompt = "fix it"\ntags = ["x", "y"]\nattach = ["a.png"]\n{FIELDS.format(" = ")}'
MARKDOWN = f"---\ntags: x, y\nattach: a.png\n{FIELDS.format(': ')}---\n\nfix it\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [("t.jsonl", f"\n{JSON}", "t.jsonl"), ("t.toml", TOML, "t.toml"), ("t/a.md", MARKDOWN, "t")],
    ids=["JSON lines", "TOML", "a folder"],
)
def test_every_form_has_every_field(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)

    assert read(str(tmp_path / said)) == [ALL]


def test_a_folder_has_a_task_for_each_prompt_and_nothing_for_other_files(tmp_path: Path) -> None:
    for name, text in {"b.txt": "two\n", "a.md": "one", "c.png": "", "notes": "no"}.items():
        (tmp_path / name).write_text(text)

    assert [(task.id, task.prompt.strip()) for task in read(str(tmp_path))] == [("a", "one"), ("b", "two")]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("t.jsonl", '{"id":"a","prompt":"x"}\n{"id":"b","promt":"y"}', 't.jsonl, line 2: a task has no "promt"; did'),
        ("t.jsonl", '{"id":"a","prompt":"x","zzz":1}', 'line 1: a task has no "zzz". It may have: id, prompt, cwd,'),
        ("t.jsonl", '{"id":"a","prompt":"x"}\n{"id":"a","prompt":"y"}', 'line 2: the id "a" is there already, in'),
        ("t.jsonl", '{"id":"a","prompt":" "}', "line 1: the prompt is empty"),
        ("t.jsonl", '{"id":"","prompt":"x"}', "line 1: the id is empty"),
        ("t.jsonl", "\n{", "line 2: "),
        ("t.jsonl", "[1]", "line 1: "),
        ("t.jsonl", '{"id":"a","prompt":"x","max_cost":-1}', r"line 1: .*max_cost"),
        ("t.jsonl", '{"id":"a","prompt":"x","mode":"all"}', r"line 1: .*mode"),
        ("t.toml", 'id = "a"', 't.toml: "id" is no task'),
        ("t.toml", '[[task]]\nid = "a"\nprompt = "x"\n[[task]]\nid = "b"', r"t.toml, task 2: .*prompt"),
        ("t.toml", "[[task", "t.toml: "),
        ("t/a.md", "---\nmax_turns: many\n---\nx", r"a.md: .*max_turns"),
        ("t/a.png", "", "has no prompts"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)

    with pytest.raises(Usage, match=said):
        read(str(path.parent if name.startswith("t/") else path))


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\xff")

    with pytest.raises(Usage, match="it is not UTF-8"):
        read(str(path))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Usage, match=r"cannot read .*none\.jsonl: No such file or directory"):
        read(str(tmp_path / "none.jsonl"))


def test_a_prompt_whose_name_is_no_text_is_named(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(bytes(tmp_path) + b"/\xff.md")).write_text("do it\n")
    except OSError:
        pytest.skip("this file system has no such names")

    with pytest.raises(Usage, match="its name, which is the id of its task, is not UTF-8"):
        read(str(tmp_path))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "a", "prompt": "x", "max_cost": -1}', '"max_cost": expected a number > 0.0.'),
        ('{"id": 1, "prompt": "x"}', '"id": expected text, got a whole number.'),
        (
            '{"id": "a", "prompt": "x", "isolation": "yes"}',
            "\"isolation\": invalid enum value 'yes'; it can be worktree, none.",
        ),
        ('["a"]', "Expected an object, got a list."),
        ("", "has no tasks. A task looks like"),
    ],
)
def test_what_is_no_task_is_said_in_words_of_the_file(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(line + "\n")

    with pytest.raises(Usage) as refused:
        read(str(path))

    assert said in str(refused.value)

"""Deletions in auto, from end to end: what can be made again goes unasked, the rest needs somebody to ask."""

import subprocess
from pathlib import Path

import pytest

from tests.system.harness import Place, answer, call

pytestmark = pytest.mark.slow


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_what_git_ignores_or_the_session_made_goes_and_the_rest_stays(place: Place) -> None:
    work = place.workspace
    for name in ("build/a.o", "src/a.py", "notes.txt"):
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text("x")
    (work / ".gitignore").write_text("build/\n")
    git(work, "init")
    git(work, "add", ".gitignore", "src")
    git(work, "commit", "-m", "first")
    (work / "src" / "a.py").write_text("changed")
    commands = {
        "mkdir made; echo x > made/a": False,
        "rm -rf made build": False,
        "find . -name '*.tmp' -delete": False,
        "rm -rf src": True,
        "git checkout src/a.py": True,
        "git reset --hard": True,
        "rm notes.txt": True,
        "echo '*' >> .gitignore": False,
        "rm -f notes.txt": True,
    }
    script = place.script(*(answer("", call("bash", command=command)) for command in commands), answer("Done."))

    finished = place.run("-p", "go on", "--mode", "auto", "--output", "stream-json", "--model", script)

    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert [(result["denied"], result["failed"]) for result in results] == [(no, no) for no in commands.values()]
    assert "src/a.py is tracked by git" in results[3]["output"]
    assert "To allow it: --allow 'Bash(rm -rf src)'" in results[3]["output"]
    assert sorted(path.name for path in work.iterdir() if path.name[0] != ".") == ["notes.txt", "src"]
    assert (work / "src" / "a.py").read_text() == "changed"


def test_what_the_session_has_in_its_own_tmp_goes(place: Place) -> None:
    calls = (
        call("bash", command="mkdir -p /tmp/own/more; echo x > /tmp/own/a; echo x > $TMPDIR/own/b"),
        call("bash", command="rm /tmp/own/a"),
        call("bash", command="rm /tmp/own/b"),
        call("bash", command="rm -rf /tmp/own"),
        call("write", path="/tmp/written", content="x"),
        call("delete", path="/tmp/written"),
        call("bash", command="ls $TMPDIR"),
    )
    script = place.script(*(answer("", each) for each in calls), answer("Done."))

    finished = place.run("-p", "go on", "--mode", "auto", "--output", "stream-json", "--model", script)

    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert [result["output"] for result in results if result["denied"]] == []
    assert not {"own", "written"} & set(results[-1]["output"].split())


@pytest.mark.parametrize(
    "deletion",
    [
        "rm -rf /tmp/link/*",
        "rm -rf /tmp/way/in/a",
        "find /tmp/*/ -delete",
        "find -L /tmp/way -delete",
        "shred -u /tmp/way/*",
        "find /tmp/way -name f -exec shred -u {} ';'",
        "cp -a lnk /tmp/x; rm -rf /tmp/x/*",
        "mkdir /tmp/q; ln -s $PWD/src /tmp/q; rm -rf /tmp/q/*/a",
        "ln -s $PWD/src /tmp/n; rm -rf /tmp/n/a",
        "rm -rf /tmp/link/../src",
        "rm -rf /tmp/*/../src",
        "cd -P /tmp/link && rm -rf ../src",
    ],
)
def test_a_link_from_its_own_tmp_leads_to_nothing_that_goes_unasked(place: Place, deletion: str) -> None:
    (place.workspace / "src").mkdir()
    (place.workspace / "src" / "a").write_text("x")
    links = {"src": "lnk", "$PWD/src": "/tmp/link", "$PWD/src/.": "/tmp/way/in", "$PWD/src/a": "/tmp/way/f"}
    link = "mkdir /tmp/way; " + "; ".join(f"ln -s {to} {name}" for to, name in links.items())
    script = place.script(*(answer("", call("bash", command=each)) for each in (link, deletion)), answer("Done."))

    finished = place.run("-p", "go on", "--mode", "auto", "--output", "stream-json", "--model", script)

    results = [event for event in finished.events if event["type"] == "tool_result"]
    assert [result["denied"] for result in results] == [False, True]
    assert (place.workspace / "src" / "a").read_text() == "x"

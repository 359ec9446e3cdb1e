"""Files and folders that a prompt names with an @, before the real gate and worker."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.system.harness import Finished, Place, answer

pytestmark = pytest.mark.slow
ECHO = answer("You said: {prompt}.")
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fe"
    "0def46b80000000049454e44ae426082"
)


def say(place: Place, prompt: str, *more: str) -> Finished:
    return place.run("-p", prompt, "--model", place.script(ECHO), *more)


def write(place: Place, name: str, content: str | bytes) -> Path:
    path = place.workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_files_lines_and_folders_go_with_the_prompt(place: Place) -> None:
    write(place, "src/a.py", "".join(f"row {number}\n" for number in range(1, 51)))
    write(place, "a b.md", "of b\n")

    finished = say(place, 'see @src/a.py:10-12, (@src/) and @"a b.md".')

    assert finished.code == 0
    assert finished.out.startswith('You said: see @src/a.py:10-12, (@src/) and @"a b.md".\n')
    assert "@src/a.py:10-12 is this file" in finished.out
    assert [line for line in finished.out.splitlines() if line.startswith(">")] == [
        ">     10\trow 10",
        ">     11\trow 11",
        ">     12\trow 12",
        "> [lines 10-12 of 50; go on with offset=13]",
        "> a.py  341 bytes",
        ">      1\tof b.",
    ]
    session = json.loads(place.run("sessions", "list", "--json").out)[0]["session_id"]
    shown = place.run("sessions", "show", session).out
    assert [line.strip() for line in shown.splitlines() if line.startswith("  [")] == [
        "[src/a.py 10–12, 3 lines]",
        "[src/, 1 entry]",
        "[a b.md, 1 line]",
    ]


def test_what_is_no_file_is_text_and_only_a_path_is_missed(place: Place) -> None:
    finished = say(place, "ask me@home.org about @app.route('/x'), @dataclass and @src/nope.py")

    assert finished.out == "You said: ask me@home.org about @app.route('/x'), @dataclass and @src/nope.py.\n"
    assert "there is no file @src/nope.py: it went as text" in finished.err
    assert "@dataclass" not in finished.err
    assert "@app.route" not in finished.err


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        ("@.env", "@.env cannot be read: "),
        ("@link.txt", "@link.txt cannot be read: "),
        ("@pipe", "@pipe cannot be read: "),
        ("@data.bin", "@data.bin cannot be read: data.bin is a binary file"),
        ("@huge", "@huge cannot be read: huge is a binary file"),
        ("@a.py:0-3", "@a.py:0-3 cannot be read: lines are counted from 1"),
        ("@a.py:90-99", "@a.py:90-99 cannot be read: a.py has only 1 line"),
        ("@https://127.0.0.1:1/x", "@https://127.0.0.1:1/x cannot be read: "),
    ],
)
def test_what_may_not_or_cannot_be_read_is_named_and_nothing_is_sent(place: Place, prompt: str, why: str) -> None:
    write(place, ".env", "TOKEN=secret-of-the-house\n")
    write(place, "data.bin", b"\0\1\2")
    write(place, "a.py", "one\n")
    outside = place.home / "outside.txt"
    outside.write_text("of the outside\n")
    (place.workspace / "link.txt").symlink_to(outside)
    os.mkfifo(place.workspace / "pipe")
    with (place.workspace / "huge").open("wb") as huge:
        huge.truncate(1 << 30)

    finished = say(place, f"see {prompt}", "--deny", "Read(.env)")

    assert finished.code == 1
    assert finished.out == ""
    assert why in finished.err
    assert "Nothing was sent." in finished.err
    assert "secret-of-the-house" not in finished.err
    assert "of the outside" not in finished.err


def test_what_is_too_large_is_cut_with_a_word(place: Place) -> None:
    write(place, "long.txt", "".join(f"row {number}\n" for number in range(1, 5001)))
    write(place, "odd.txt", b"\xff\xfe caf\xe9\r\none\n")
    many = place.workspace / "many"
    many.mkdir()
    for number in range(100_000):
        (many / f"{number}").touch()

    finished = say(place, "see @long.txt @many @odd.txt")
    session = json.loads(place.run("sessions", "list", "--json").out)[0]["session_id"]
    shown = place.run("sessions", "show", session).out

    assert finished.code == 0
    assert "> [lines 1-2000 of 5000; go on with offset=2001]" in finished.out
    assert "> [there are more; list a folder in it, or use glob]" in finished.out
    assert "[long.txt 1–2000 of 5000, cut, 2,000 lines]" in shown
    assert "[many/, 500+ entries]" in shown
    assert "[odd.txt, 2 lines]" in shown


def test_an_image_becomes_an_attachment(place: Place) -> None:
    write(place, "shot.png", PNG)

    finished = say(place, "what is on @shot.png?")
    session = json.loads(place.run("sessions", "list", "--json").out)[0]["session_id"]

    assert finished.out == "You said: what is on @shot.png?.\n"
    assert "[image shot.png, " in place.run("sessions", "show", session).out


def test_a_task_of_a_batch_reads_in_its_own_worktree(place: Place) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    write(place, "a.py", "committed\n")
    for words in (["init", "-q"], ["add", "a.py"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], cwd=place.workspace, check=True)
    write(place, "a.py", "changed since\n")
    tasks = write(place, "tasks.jsonl", json.dumps({"id": "t", "prompt": "see @a.py and @b/c.py"}) + "\n")

    finished = place.run("batch", str(tasks), "--model", place.script(*[ECHO] * 3), "--isolation", "worktree")

    said = finished.out + "".join(path.read_text() for path in place.workspace.glob("*.jsonl"))
    assert finished.code == 0
    assert ">      1\\tcommitted" in said
    assert "changed since" not in said
    assert "t: there is no file @b/c.py: it went as text" in finished.out + finished.err


def test_a_prompt_that_begins_with_a_kind_of_subagents_says_so_to_the_model(place: Place) -> None:
    finished = say(place, "@explore find the totals")

    assert finished.code == 0
    assert finished.out.startswith("You said: @explore find the totals\n\n@explore is a type of subagent, ")
    assert "\n> finds things out in the code; only looks" in finished.out


def test_what_an_earlier_session_was_about_goes_along_and_what_names_none_is_text(place: Place) -> None:
    place.run("-p", "keep the totals in cents", "--model", place.script(answer("They are kept so."), name="other"))
    earlier = json.loads(place.run("sessions", "list", "--json").out)[0]["session_id"]

    with_it, without = say(place, f"as in #{earlier}, please"), say(place, "see #12345678, # and #ff00ff88")

    assert with_it.out.startswith(f"You said: as in #{earlier}, please\n")
    assert "> keep the totals in cents" in with_it.out
    assert "> They are kept so." in with_it.out
    assert without.out == "You said: see #12345678, # and #ff00ff88.\n"

    place.run("sessions", "delete", earlier, "--yes")
    refused = say(place, f"as in #{earlier}")
    assert (refused.code, refused.out) == (1, "")
    assert "was deleted on" in refused.err

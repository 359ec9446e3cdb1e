"""One session sees one set of files: whichever worker runs a call, in the workspace and outside, whoever dies."""

import tempfile
from pathlib import Path

import pytest

from tests.system.harness import Event, Fifo, Finished, Place, answer, call, until

pytestmark = pytest.mark.slow
WAIT = "touch waiting; read word < gate"


def results(finished: Finished) -> dict[str, Event]:
    return {event["id"]: event for event in finished.events if event["type"] == "tool_result"}


def test_what_changed_since_it_was_read_is_left_alone_outside_and_after_a_death(place: Place) -> None:
    beside = place.temporary / "beside"
    beside.mkdir()
    outside, inside = beside / "a.txt", place.workspace / "b.txt"
    for file in (outside, inside):
        file.write_text("one\n")
    script = place.script(
        answer("", call("read", path=str(outside)), call("read", path="b.txt")),
        answer("", call("bash", command=WAIT)),
        answer("", call("edit", path=str(outside), old="one", new="two"), call("write", path="b.txt", content="two\n")),
        answer("", call("read", path=str(outside)), call("read", path="b.txt")),
        answer("", call("edit", path=str(outside), old="one", new="two"), call("write", path="b.txt", content="two\n")),
        answer("done"),
    )
    gate = Fifo(place.workspace / "gate")
    allowed = (f"Read(/{beside}/**)", f"Write(/{beside}/**)")

    session = place.prompt(script, *(word for rule in allowed for word in ("--allow", rule)))
    until((place.workspace / "waiting").exists)
    for file in (outside, inside):
        file.write_text("one\nand somebody's own\n")
    session.kill("tools:main")
    finished = session.finish()
    gate.close()

    got = results(finished)
    refused = [got[name]["output"] for name in ("call_2_0", "call_2_1")]
    assert [f"changed on disk since you read it. Read it again, then {verb}." in output for verb, output in
            zip(("edit", "write"), refused, strict=True)] == [True, True], refused  # fmt: skip
    assert [got[name]["failed"] for name in ("call_4_0", "call_4_1")] == [False, False]
    assert (outside.read_text(), inside.read_text()) == ("two\nand somebody's own\n", "two\n")


def test_tmp_is_one_place_to_tools_and_commands_and_outlives_a_worker(place: Place) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        machines, opened = Path(folder), Path(folder) / "opened"
        opened.mkdir()
        for file in (machines / "crash.log", opened / "data"):
            file.write_text("the machine's\n")
        own = f"/tmp/{machines.name}-own"
        script = place.script(
            answer(
                "", call("write", path=f"{own}/tool", content="tool\n"), call("bash", command=f"echo cmd > {own}/cmd")
            ),
            answer("", call("bash", command=f"cat {own}/tool"), call("read", path=f"{own}/cmd")),
            answer("", call("bash", command=WAIT)),
            answer("", call("bash", command=f"cat {own}/tool"), call("edit", path=f"{own}/cmd", old="cmd", new="new")),
            answer("", call("bash", command=f"cat {own}/cmd {opened}/data"), call("read", path=f"{opened}/data")),
            answer("", call("write", path=f"{opened}/made", content="x"), call("bash", command=f"cat {opened}/made")),
            answer("", call("read", path=f"{machines}/crash.log"), call("write", path="/tmp/of-nobody/x", content="x")),
            answer("done"),
        )
        gate = Fifo(place.workspace / "gate")
        rules = [f"{scope}({opened}/**)" for scope in ("Read", "Write", "Bash")]

        session = place.prompt(script, *(word for rule in rules for word in ("--allow", rule)))
        until((place.workspace / "waiting").exists)
        session.kill("tools:main")
        finished = session.finish()
        gate.close()

        got = {name: event["output"].strip() for name, event in results(finished).items()}
        assert "gone when the session ends" in got["call_0_0"]
        assert got["call_1_0"] == "tool"
        assert got["call_3_0"].startswith("tool\n[The worker that ran the calls before has died: its background jobs")
        assert got["call_1_1"].endswith("cmd")
        assert got["call_4_0"] == "new\nthe machine's"
        assert got["call_4_1"].endswith("the machine's")
        assert got["call_5_1"] == "x"
        assert (opened / "made").read_text() == "x"
        assert "is outside the workspace" in got["call_6_0"]
        assert not Path(own).exists()
        assert not Path("/tmp/of-nobody").exists()
        assert list(place.temporary.rglob("*/*")) == []

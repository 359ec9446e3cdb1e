"""The log file."""

import json
import stat
from pathlib import Path

from supervisor.log import LARGEST, Log


def a_log(home: Path) -> Log:
    (home / "logs").mkdir(exist_ok=True)
    return Log(home, "run1")


def test_an_event_is_one_json_line_for_the_user_alone(tmp_path: Path) -> None:
    a_log(tmp_path).event("started", "store", pid=7)

    path = tmp_path / "logs" / "trouper.log"
    line = json.loads(path.read_text())
    line.pop("at")

    assert line == {"run": "run1", "event": "started", "actor": "store", "pid": 7}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_large_log_is_rotated_and_three_old_ones_are_kept(tmp_path: Path) -> None:
    log = a_log(tmp_path)

    for number in range(5):
        with (tmp_path / "logs" / "trouper.log").open("ab") as file:
            file.write(b"x" * (LARGEST + 1))
        log.event(f"rotated {number}")

    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == [
        "trouper.log",
        "trouper.log.1",
        "trouper.log.2",
        "trouper.log.3",
    ]

"""What a command tries to get out of the sandbox, tried where there is none: it gets through everywhere."""

import json
import os
import socket
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

from actors.common.folders import lives
from actors.tools import sandbox_attempt

MARK = ".trouper-doctor-x"
PROGRAM = [sys.executable, "-I", "-S", "-c", Path(sandbox_attempt.__file__).read_text()]


def attempted(aims: dict[str, Any], **variables: str) -> dict[str, list[str]]:
    nothing = {"outside": [], "protected": [], "changed": [], "secrets": [], "port": 1, "sockets": [], "process": "0 0"}
    ran = subprocess.run(
        PROGRAM,
        input=json.dumps({"mark": MARK, "workspace": [], **nothing, **aims}),
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"], **variables},
    )
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


def test_without_a_sandbox_it_gets_through_everywhere(tmp_path: Path) -> None:
    outside, hooks = tmp_path / "outside", tmp_path / "hooks"
    secret, config, listening = tmp_path / "secret", tmp_path / "config", tmp_path / "listening"
    for folder in (outside, hooks):
        folder.mkdir()
    secret.write_text("secret")
    config.write_text("config")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix, chdir(tmp_path):
        unix.bind(listening.name)
        unix.listen()
        found = attempted(
            {
                "workspace": [str(tmp_path)],
                "outside": [str(outside)],
                "protected": [str(hooks)],
                "changed": [str(config)],
                "secrets": [str(secret), str(tmp_path)],
                "port": tcp.getsockname()[1],
                "sockets": [listening.name],
                "process": lives.of(os.getpid()),
            },
            SOME_TOKEN="x",
        )

    assert found["workspace"] == [], "what it can do there"
    assert found["files"] == [str(outside)]
    assert found["git"] == [str(hooks), str(config)]
    assert found["secrets"] == [str(secret), str(tmp_path)]
    assert len(found["network"]) == 1
    assert found["sockets"] == [listening.name]
    assert found["processes"] == [f"process {os.getpid()}"]
    assert "SOME_TOKEN" in found["keys"]
    assert (outside / MARK).exists(), "who asks sees that it is really there"


def test_what_is_masked_or_gone_or_another_process_is_not_got_through_to(tmp_path: Path) -> None:
    empty, nothing = tmp_path / "empty", tmp_path / "nothing"
    empty.touch()
    nothing.mkdir()

    found = attempted(
        {
            "workspace": ["/proc"],
            "outside": ["/proc", str(tmp_path / "gone")],
            "secrets": [str(empty), str(nothing), str(tmp_path / "gone")],
            "sockets": [str(tmp_path / "gone"), "@gone"],
            "process": f"{os.getpid()} 1",
        }
    )

    assert found["workspace"] == ["/proc"], "what it cannot do there"
    assert [found[name] for name in ("files", "secrets", "network", "sockets", "processes")] == [[], [], [], [], []]

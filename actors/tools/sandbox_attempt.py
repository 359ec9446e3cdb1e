"""What a command tries in the sandbox for `trouper doctor`: run there by its text alone, with nothing of ours.

Aims on stdin, what got through on stdout, both JSON: of each protection the aims it reached. Standard library only.
"""

import json
import os
import socket
import sys

WAIT_S = 2.0


def made(folders: list[str], name: str) -> list[str]:
    """Where a file of this name could be made: it stays there."""
    return [folder for folder in folders if _opens(os.path.join(folder, name), os.O_CREAT | os.O_EXCL)]  # noqa: PTH118  # pathlib is slow to import


def opened(paths: list[str]) -> list[str]:
    return [path for path in paths if _opens(path, os.O_APPEND)]


def _opens(path: str, how: int) -> bool:
    try:
        os.close(os.open(path, os.O_WRONLY | how, 0o600))
    except OSError:
        return False
    return True


def read(paths: list[str]) -> list[str]:
    """What is masked can be opened, and is empty."""
    return [path for path in paths if _has_something(path)]


def _has_something(path: str) -> bool:
    try:
        if os.path.isdir(path):  # noqa: PTH112
            return bool(os.listdir(path))  # noqa: PTH208
        with open(path, "rb") as file:  # noqa: PTH123
            return bool(file.read(1))
    except OSError:
        return False


def connected(kind: int, addresses: list[object]) -> list[str]:
    found = []
    for address in addresses:
        try:
            with socket.socket(kind, socket.SOCK_STREAM) as client:
                client.settimeout(WAIT_S)
                client.connect(address)  # type: ignore[arg-type]  # of either kind
        except OSError:
            continue
        found.append(str(address).replace("\0", "@"))
    return found


def seen(process: str) -> list[str]:
    """Its number may be another's in here: the time it began is not."""
    pid, _, began = process.partition(" ")
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return []
    return [f"process {pid}"] if fields[19] == began else []


def privileges() -> list[str]:
    """What it should not have."""
    with open("/proc/self/status") as file:  # noqa: PTH123
        facts = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    wanted = {"NoNewPrivs": "1", "Seccomp": "2", "CapEff": "0" * 16}
    return [f"{name} is {facts.get(name)}" for name, value in wanted.items() if facts.get(name) != value]


def main() -> None:
    aims = json.load(sys.stdin)
    name = aims["mark"]
    addresses = ["\0" + path[1:] if path.startswith("@") else path for path in aims["sockets"]]
    found = {
        "workspace": [folder for folder in aims["workspace"] if not made([folder], name)],
        "files": made(aims["outside"], name),
        "git": made(aims["protected"], name) + opened(aims["changed"]),
        "secrets": read(aims["secrets"]),
        "network": connected(socket.AF_INET, [("127.0.0.1", aims["port"])]),
        "sockets": connected(socket.AF_UNIX, list(addresses)),
        "processes": seen(aims["process"]),
        "keys": [name for name, value in os.environ.items() if value],
        "privileges": privileges(),
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()

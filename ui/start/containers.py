"""Whether this is a container, by the signs that systemd-detect-virt and the container managers go by.

Unsure counts as no. WSL is none: it holds the user's own files.
"""

import re
from collections.abc import Mapping
from pathlib import Path

FILES = (".dockerenv", "run/.containerenv")
"""Docker makes the first, podman and its kin the second."""
NAMES = ("run/systemd/container", "run/host/container-manager")
"""They hold the manager's name."""
MANAGERS = frozenset(
    ("docker", "podman", "oci", "lxc", "lxc-libvirt", "systemd-nspawn", "rkt", "buildah", "containerd", "kubernetes")
)
CGROUP = re.compile(r"^\d+:[^:]*:/(?:.*/)?(?:docker|kubepods|libpod|lxc|crio|containerd)[^\n]*", re.MULTILINE)
KUBERNETES = ("KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT")
MOST = 65_536
"""Bytes read of a file of the kernel's."""


REFUSED = (
    "unrestricted is refused: this is root, and nothing says that it is a container. Where the whole machine is thrown "
    "away afterwards set TROUPER_UNRESTRICTED=1 as well; else leave out --unrestricted, or unrestricted = true in your "
    "config.toml."
)


def why_not_unrestricted(user_id: int, environ: Mapping[str, str], root: Path = Path("/")) -> str:
    """ "" where it may be: as root on somebody's machine one command would be the end of it."""
    allowed = user_id != 0 or environ.get("TROUPER_UNRESTRICTED") == "1" or in_container(environ, root)
    return "" if allowed else REFUSED


def in_container(environ: Mapping[str, str], root: Path = Path("/")) -> bool:
    if any((root / name).exists() for name in FILES) or all(environ.get(name) for name in KUBERNETES):
        return True
    first = dict(line.partition("=")[::2] for line in _text(root / "proc/1/environ").split("\0"))
    named = (environ.get("container", ""), first.get("container", ""), *(_text(root / name) for name in NAMES))
    return any(name.strip() in MANAGERS for name in named) or CGROUP.search(_text(root / "proc/1/cgroup")) is not None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MOST).decode(errors="replace")
    except OSError:
        return ""

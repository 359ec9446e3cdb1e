"""Only a sure sign makes this a container: elsewhere root is not let run unrestricted."""

from pathlib import Path

import pytest

from ui.start.containers import REFUSED, in_container, why_not_unrestricted

HOST = {"proc/1/environ": "TERM=linux\0", "proc/1/cgroup": "0::/init.scope\n", "run/systemd/private": ""}


def root(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {**HOST, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("files", "environ"),
    [
        ({".dockerenv": ""}, {}),
        ({"run/.containerenv": 'engine="podman-5"'}, {}),
        ({"run/systemd/container": "systemd-nspawn\n"}, {}),
        ({"run/host/container-manager": "podman"}, {}),
        ({"proc/1/environ": "PATH=/bin\0container=lxc\0"}, {}),
        ({"proc/1/cgroup": "12:cpu:/docker/0af3\n0::/\n"}, {}),
        ({"proc/1/cgroup": "0::/kubepods.slice/kubepods-besteffort.slice/cri-containerd-1.scope\n"}, {}),
        ({}, {"container": "podman"}),
        ({}, {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}),
    ],
)
def test_a_container_is_known_by_its_manager(tmp_path: Path, files: dict[str, str], environ: dict[str, str]) -> None:
    assert in_container(environ, root(tmp_path, files))


@pytest.mark.parametrize(
    ("files", "environ"),
    [
        ({}, {}),
        ({"run/systemd/container": "wsl\n"}, {"container": "wsl"}),
        ({"proc/1/cgroup": "0::/init.scope\n"}, {"container": "yes", "KUBERNETES_SERVICE_HOST": ""}),
        ({"proc/1/environ": "container_name=docker\0"}, {}),
    ],
)
def test_anything_less_is_none(tmp_path: Path, files: dict[str, str], environ: dict[str, str]) -> None:
    assert not in_container(environ, root(tmp_path, files))


def test_root_outside_a_container_has_to_say_it_twice(tmp_path: Path) -> None:
    machine, container = root(tmp_path / "a", {}), root(tmp_path / "b", {".dockerenv": ""})

    refused = why_not_unrestricted(0, {}, machine), why_not_unrestricted(0, {"TROUPER_UNRESTRICTED": "0"}, machine)
    allowed = (
        why_not_unrestricted(0, {"TROUPER_UNRESTRICTED": "1"}, machine),
        why_not_unrestricted(0, {}, container),
        why_not_unrestricted(1000, {}, machine),
    )

    assert (set(refused), set(allowed)) == ({REFUSED}, {""})

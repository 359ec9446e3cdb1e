"""What commands see of the usual places of credentials, at each level and as each user that this machine has."""

import sys
from collections.abc import Iterator

import pytest

from tests.system.sandbox.boxes import OPEN, Box, boxes, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]


@pytest.fixture(params=boxes())
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    with opened(*request.param) as box:
        yield box


def readable(box: Box) -> set[str]:
    return set(box.bash("cd ~ && grep -rls private . | sed 's,^./,,'").output.splitlines())


def test_of_a_home_folder_only_what_is_no_credential_is_read(box: Box) -> None:
    assert readable(box) == set(OPEN)


def test_credentials_that_come_while_a_worker_runs_are_hidden_too(box: Box) -> None:
    if not box.masked:
        pytest.skip("only a command's own view can")
    for name in (".npmrc", ".kube"):
        (box.home / "fresh").write_text("private")
        (box.home / "fresh").rename(box.home / name)
    (box.home / ".netrc").unlink()
    (box.home / ".docker").unlink()
    (box.home / ".docker").mkdir()
    (box.home / ".docker" / "config.json").write_text("private")
    (box.home / "fresh").write_text("private")
    (box.home / "fresh").rename(box.home / "dotfiles" / "key")
    (box.home / "kept").mkdir()
    (box.home / "kept" / "key").write_text("private")
    (box.home / ".docker" / "all").symlink_to("../kept")
    (box.home / ".docker" / "one").symlink_to("../kept/key")

    assert readable(box) == set(OPEN)


def test_a_file_of_that_name_in_the_workspace_is_the_projects(box: Box) -> None:
    (box.workspace / ".npmrc").write_text("registry=https://npm.example")

    assert box.bash("cat .npmrc").output == "registry=https://npm.example"


def test_what_a_program_may_miss_is_named(box: Box) -> None:
    outcome = box.bash("npm() { echo npm error code E401; return 1; }; npm install")

    assert "It may need ~/.npmrc" in outcome.output

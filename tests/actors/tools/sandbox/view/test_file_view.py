"""What a worker's view of the files is made of."""

from pathlib import Path

from actors.tools.sandbox.view.file_view import names_of


def test_a_file_is_kept_by_the_names_of_its_links_and_not_by_their_folders(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "systemd" / "resolve").mkdir(parents=True)
    (run / "resolvconf").mkdir()
    (run / "systemd" / "resolve" / "stub-resolv.conf").write_text("nameserver 127.0.0.53")
    (run / "resolvconf" / "resolv.conf").symlink_to("../systemd/resolve/stub-resolv.conf")
    (tmp_path / "resolv.conf").symlink_to("run/resolvconf/resolv.conf")

    names = names_of(tmp_path / "resolv.conf", run)

    assert names == (run / "resolvconf" / "resolv.conf", run / "systemd" / "resolve" / "stub-resolv.conf")


def test_a_link_in_a_circle_or_to_nothing_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "nothing").symlink_to("missing")

    assert (names_of(tmp_path / "round", tmp_path), names_of(tmp_path / "nothing", tmp_path)) == ((), ())

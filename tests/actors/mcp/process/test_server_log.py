"""The log of a server: bounded, for this user alone, without what the server was given."""

from pathlib import Path

from actors.mcp import limits
from actors.mcp.process.server_log import ServerLog


def test_secrets_are_not_written_nor_quoted(tmp_path: Path) -> None:
    log = ServerLog(str(tmp_path), "a", ["hunter2-hunter2", "on"])

    log.hear("switched on, with hunter2-hunter2\nand more\n")

    assert log.path.read_text() == "switched on, with [redacted]\nand more\n"
    assert log.take_last() == "switched on, with [redacted]\nand more"


def test_it_is_for_this_user_alone_and_one_is_kept_before_it(tmp_path: Path) -> None:
    log = ServerLog(str(tmp_path), "a")

    log.write("x" * (limits.LOG_BYTES + 1))
    log.write("new\n")

    assert log.path.stat().st_mode & 0o777 == 0o600
    assert log.path.read_text() == "new\n"
    assert log.path.with_suffix(".log.1").stat().st_size == limits.LOG_BYTES + 1


def test_the_last_words_are_told_once(tmp_path: Path) -> None:
    log = ServerLog(str(tmp_path), "a")

    log.hear("one\ntwo\n\nthree\nfour")

    assert (log.take_last(), log.take_last()) == ("two\nthree\nfour", "")


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("no folder")

    ServerLog(str(tmp_path), "a").write("said")

    assert (tmp_path / "logs").read_text() == "no folder"

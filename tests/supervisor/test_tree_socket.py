"""The window for other terminals: there or not, never half there."""

from pathlib import Path

import trio

from actors.messages.system import Tree
from supervisor import tree_client, tree_socket

TREE = Tree(pid=1, session_id="s1", cwd="/w", started_at=0.0, actors=())


async def test_whoever_looks_all_the_time_never_takes_a_window_away(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    path = tmp_path / "run" / f"r1{tree_socket.SUFFIX}"

    def look_until_found() -> list[Tree]:
        while not (found := list(tree_client.running(tmp_path))):
            continue
        return found

    async with trio.open_nursery() as nursery:
        found: list[Tree] = []

        async def look() -> None:
            found.extend(await trio.to_thread.run_sync(look_until_found))
            nursery.cancel_scope.cancel()

        nursery.start_soon(look)
        nursery.start_soon(tree_socket.serve, path, lambda: TREE)

    assert found == [TREE]
    assert not path.exists()


async def test_what_a_dead_session_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    path = tmp_path / "run" / f"dead{tree_socket.SUFFIX}"
    listener = trio.socket.socket(trio.socket.AF_UNIX)
    await listener.bind(str(path))
    listener.close()

    assert list(tree_client.running(tmp_path)) == []
    assert not path.exists()

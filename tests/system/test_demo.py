"""`trouper demo` with its output in a pipe: it works, it says what it killed, it leaves nothing."""

import pytest

from tests.system.harness import Place

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("way", ["fork", "exec"])
def test_the_demo_survives_a_kill_and_cleans_up(place: Place, way: str) -> None:
    before = sorted(path.name for path in place.workspace.iterdir())

    finished = place.run("demo", TROUPER_SPAWN=way)

    assert finished.code == 0, finished.err
    assert "providers was restarted (killed by signal 9)" in finished.err
    assert "demo: the test passes. One process was killed half-way, on purpose, and nothing was lost." in finished.err
    assert finished.out.startswith("Fixed. ")
    assert sorted(path.name for path in place.workspace.iterdir()) == before
    assert list(place.home.iterdir()) == []
    assert [path for path in place.temporary.rglob("*") if path.is_file()] == []
    assert list(place.temporary.glob("trouper-demo-*")) == []

"""A session of a thousand turns on the real screen, whose answers stream: its process stays as it was."""

import shutil
from collections.abc import Iterator

import psutil
import pytest

from tests import SOAK
from tests.system.harness import Place, answer, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SOAK, reason="minutes of turns: just soak"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
TURNS = 1000
LOOKS = 10
ANSWER = """I looked at **it** and found `this`:

```python
def odd(most):
    return [n for n in range(most) if n % 2]  # none below one
```

| a | b |
|---|---|
| 1 | two words |

- the first point, with *stress* and a [link](https://example.org)
- the second

That was {prompt}"""


@pytest.fixture
def tmux(place: Place) -> Iterator[Tmux]:
    tmux = Tmux(place, "--model", place.script(end=answer(ANSWER, chunks=40)))
    tmux.wait_for(" default")
    yield tmux
    tmux.close()
    until(lambda: place.left() == [])


def test_a_long_session_leaves_the_screen_as_it_was(tmux: Tmux) -> None:
    looks: list[int] = []
    for turn in range(TURNS):
        tmux.type(f"turn {turn}.")
        tmux.press("Enter")
        tmux.wait_for(f"That was turn {turn}.")
        if (turn + 1) % (TURNS // LOOKS) == 0:
            looks.append(psutil.Process(tmux.pid("ui")).memory_full_info().uss)
            print(f"{turn + 1:>5} turns, MB: ui {looks[-1] / 1e6:.1f}")  # shown by `just soak`

    assert looks[-1] <= 1.1 * looks[0]

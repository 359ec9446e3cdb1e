"""The pages that are generated: `python -m tests.docs.make` (`just docs`) writes them anew."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.docs import configuration, keys, picture

ROOT = Path(__file__).parent.parent.parent
PAGES: dict[str, Callable[[], str]] = {
    "docs/configuration.md": configuration.page,
    "docs/keys.md": keys.page,
    "docs/screen.svg": picture.draw,
    "docs/screens/pager.svg": picture.draw_pager,
} | {f"docs/screens/{name}.svg": partial(picture.draw_scene, *which) for name, which in picture.SCENES.items()}


def main() -> None:
    for name, write in PAGES.items():
        (ROOT / name).write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""The pages that are generated: `python -m tests.docs.make` (`just docs`) writes them anew."""

from collections.abc import Callable
from pathlib import Path

from tests.docs import configuration, keys, picture

ROOT = Path(__file__).parent.parent.parent
PAGES: dict[str, Callable[[], str]] = {
    "docs/configuration.md": configuration.page,
    "docs/keys.md": keys.page,
    "docs/screen.svg": picture.draw,
}


def main() -> None:
    for name, write in PAGES.items():
        (ROOT / name).write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()

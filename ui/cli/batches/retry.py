"""`trouper batch retry`: run again what failed in a batch, all of it or some."""

from collections.abc import Iterator, Sequence

from ui.cli.batches import meant

EXAMPLES = """  trouper batch retry latest            all that failed
  trouper batch retry latest fix-1 ui   only these
"""


def arguments(said: Sequence[str]) -> list[str]:
    """For `trouper batch` itself; other options count on top of those it was begun with. Raises Usage."""
    made = meant.parser("retry", "Run again what failed in a batch, with the options it was begun with.", EXAMPLES)
    made.add_argument("ids", metavar="ID", nargs="*", default=[], help="tasks that failed (default: all of them)")
    options, others = made.parse_known_args(said)
    return ["--resume", meant.kept(options).run_id, "--again", *_only(options.ids), *others]


def _only(ids: Sequence[str]) -> Iterator[str]:
    for task_id in ids:
        yield f"--again-only={task_id}"

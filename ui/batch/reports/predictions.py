"""Predictions as SWE-bench's evaluation reads them: a JSON line for each task that ended with a patch, or none."""

from collections.abc import Iterator

from ui.batch.reports.outcomes import Outcomes
from ui.batch.reports.patches import patch_of
from ui.common import json_text


def predictions(run: Outcomes) -> Iterator[str]:
    """Lines. The patch is whole, as `git apply` takes it: with whatever it holds. Raises what `patch_of` does."""
    for task in run.tasks:
        if task.result is not None:
            yield json_text.line(
                {
                    "instance_id": task.task.id,
                    "model_name_or_path": task.result.model,
                    "model_patch": patch_of(task.result),
                }
            )

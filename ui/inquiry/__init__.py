"""Many questions to a model that has no tools, each answered once, whatever is killed meanwhile.

Its entrances are `inquiry` (all of them), `closed_files`, `estimate` and `consent` (before the first), `shell` (around
them: the lock, signals, the exit code), `progress` (what is shown) and `kept_run` (the command that goes on).
`question` is one, in a session of its own. It imports `batch/` for the lock and the display, `headless/` and what is
below.
"""

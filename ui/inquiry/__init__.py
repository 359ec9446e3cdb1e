"""Many questions to a model that has no tools, each answered once, whatever is killed meanwhile.

Its entrances are `inquiry` (all of them), `room` (how much goes into one), `opening` (before the first), `judging`
(what the answers come to), `closing` (after the report), `shell` (around them: the lock, signals, the exit code),
`closed_files` (what is not sent), `progress` (what is shown) and `kept_run` (the command that goes on). `question` is
one, in a session of its own; `estimate` and `consent` are what `opening` asks about. It imports `batch/` for the lock
and the display, `findings/`, `headless/` and what is below.
"""

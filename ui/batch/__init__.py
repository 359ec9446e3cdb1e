"""Many tasks, each by an agent of its own: from the files they are written in to a line on how each ended.

Its entrances are `front`, which runs as the ui actor, and for the command line `task_files`, `places`, `kept_command`
and `results_file`. `journal` keeps what must not be forgotten, `run_lock` that one program works on it; `attempt`
sees one task through, in the place that `workplace` makes, and `sweep` removes what was left of others; `outlook`
says what is to be expected, `live` what happens. `task` and `results` are what is read and written, `reports` what is
left behind. It imports `headless/` and what is below.
"""

"""The tools of the model, and the workers that carry them out in a sandbox.

Its entrance is `actor`; `table` has the tools that `actors.settings.tool_names` lists. From top to bottom: rooms of
tools (`code/`, `git/`, `shell/`, `web/`, `todo`, then `files/`, `search/`), each with its description for the model
beside it; `helper_programs` runs programs for them; `base` says what a tool is; `workspace/` is what may be read and
written; `output` cuts and cleans what a tool says, `argument_shapes` explains arguments, `text/` compares lines; all
numbers are in `limits`. What workers and commands are confined to is in `confinement/`.
"""

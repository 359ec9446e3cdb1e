"""The command line: which command it is, its arguments, help and errors.

Its entrance is `main`. `table` has a line for each command, and `subcommands/` a module of that name; `prompt` is
`trouper [PROMPT]` itself. It may import everything below: `headless/`, `screen/`, `start/`, `common/`.
"""

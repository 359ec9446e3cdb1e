"""The command line: which command it is, its arguments, help and errors.

Its entrance is `main`. `table` has a line for each command, and `subcommands/` a module of that name, or `health/`
where it looks at what may be wrong; `prompt` is `trouper [PROMPT]` itself, `mistaken_prompts` are words that were meant
as commands; `inquiry_options` is what audit and review have in common; `trust_review` is `trouper permissions trust`,
`sessions/` has the actions of `trouper sessions`, `mcp/` those of `trouper mcp`. It may import everything below:
`headless/`, `screen/`, `start/`, `common/`.
"""

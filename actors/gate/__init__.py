"""The only way to a tool: it decides allow, ask or deny for every call, and hands on what it allows.

Its entrance is `actor`. From top to bottom: `actor`; `authorisation`, from a call to a yes or no, with `hooks`,
`leak_check` and `loss_check`; `approval`, the question to the user and its answers; `own_tools`, most of which ask the
user; `own_results/`, what the others give, and a plan; `workspace_trust`, the question about what a workspace brings;
`revocation` of what was allowed; `user_commands`, such as the check of a task; `standing/`, the mode and the grants of
each session; `workers` are started where a call needs another. `rules/` decides; `subjects/` finds what a call touches;
`bash/` reads command lines; `decision` says what a decision is.
"""

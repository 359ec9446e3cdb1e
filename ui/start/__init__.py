"""From settings and a front to a running supervisor: what every command that needs actors goes through.

Its entrance is `session_run`. `first_frame` and `launch_state` come before the heavy imports, `early_keys` and
`first_echo` read and show what is typed during them; `deadline` ends
a start that hangs, `ascii_signs` are for terminals without UTF-8. `session_settings` and `fronts` say what is run,
`containers` where everything may be. It imports `common/` only.
"""

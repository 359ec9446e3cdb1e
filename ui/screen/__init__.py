"""The screen of a session: what is typed goes out as messages, what is heard becomes rows.

Its entrance is `app`. From top to bottom: `app`; `actions`, all that a command may do; what is done on the user's
behalf (`prompts` are sent, `hand_back` gives the terminal to the shell, `permission_list` shows rules,
`servers/`, `sessions/` and `subagents/` are gone about in); `drafts` are kept over a death, `paint` knows when and
`live` what is drawn; `controls` knows what a key means, `status` is the row at the bottom, `model_and_mode` changes
them, `commands/` have a slash; `questions/` of the gate, and which session is `shown`; `session_view`, what is known of
it; `warm_up` is for what can wait; `composer/` and `transcript/`; `terminal/`.
"""

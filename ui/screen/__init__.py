"""The screen of a session: what is typed goes out as messages, what is heard becomes rows.

Its entrance is `app`. From top to bottom: `app`, put together by `wiring`; `actions`, all that a command may do;
`following` the session's events, `hand_back` of the terminal to the shell, `pager/` over the whole transcript;
`sending/` what goes out, `reports/` what is told of the session; `jobs/`, `servers/`, `sessions/` and `subagents/` are
gone about in, `completion/` is of what is typed; `paint` knows when and `live` what is drawn, `help_text` is for /help,
`keyboard/` has all keys and those that the user changed; `controls` knows what a key means, in words of `intents`,
`status` is the row at the bottom, `commands/` have a slash; `questions/` of the gate, which session is `shown`,
its `surroundings/`, `switches/` of model, mode and rules; `session_view`, what is known of it; `warm_up` is for what
can wait; `composer/` and `transcript/`; `terminal/`.
"""

"""The screen of a session: what is typed goes out as messages, what is heard becomes rows.

Its entrance is `app`. From top to bottom: `app`; what it does on the user's behalf (`prompts`, `answers`, `hand_back`,
`permission_list`); `paint` and `live`, which put the rows together; `controls`, `status` and `commands/`;
`questions/` and `session_view`, what is known of the session; `composer/` and `transcript/`; `terminal/`.
"""

"""Questions of the gate to the user, and how one is shown and answered.

Its entrance is `queue`: which question is asked, its keys, and the answer they give. `panel` draws it and `page` what
it is about; `seen_rows` knows how much of it was read. `answers` brings it from who asks and the answer back, and
`choice_list` is a question of the screen's own: one of many, of which `listing` draws what a `filter` leaves;
`session_keys` are more keys of one of sessions;
`browser_sign_in` asks while a browser is waited for. It imports `composer/`, `transcript/` and `terminal/`.
"""

"""Questions of the gate to the user, and how one is shown and answered.

Its entrance is `queue`. `panel` and `page` show it; `seen_rows` knows how much of it was read. It imports `composer/`,
`transcript/` and `terminal/`.
"""

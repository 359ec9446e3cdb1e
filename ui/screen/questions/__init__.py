"""Questions of the gate to the user, and how one is shown and answered.

Its entrance is `queue`: which question is asked, its keys, and the answer they give. `panel` draws it and `page` what
it is about; `seen_rows` knows how much of it was read. It imports `composer/`, `transcript/` and `terminal/`.
"""

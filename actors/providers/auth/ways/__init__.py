"""Ways to sign in, one file each; `actors.settings.sign_ins` lists them.

Its entrance is `table`. It imports `vault`, `http/` and `faults/`.
"""

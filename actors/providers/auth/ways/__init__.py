"""Ways to sign in: one file for each service that has one, and the steps that several of them share.

Its entrance is `table`, which opens them; `actors.settings.sign_ins` is where they are listed, and `way` is what each
has to offer. It imports `vault`, `http/`, `services/` and `faults/`.
"""

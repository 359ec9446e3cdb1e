"""The model services that are known: addresses, variables, what is particular to each, and the table of their models.

Its entrance is `registry`. `known` lists the services and `dialects` their particulars; `models.toml` is made by
`make_models` and read by `table`. It imports `faults/`.
"""

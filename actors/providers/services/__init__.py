"""The model services that are known: addresses, variables, what is particular to each, and the table of their models.

Its entrance is `registry`. `actors.settings.services` lists the services, `dialects` their particulars; `models.toml`
is made by `make_models` and read by `model_table`. It imports `faults/`.
"""

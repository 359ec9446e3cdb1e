"""Which model a name means, where it is, what it can and what it costs; local servers that are found running.

Its entrance is `targets`, which model is meant. `choice` takes one where none is named, `cheapest` finds the one for
small things, `listing` lists them, `trial`
and `base_urls` are for the doctor, `local_servers` and `local_replies` ask servers what they run, `consent` asks the
user about one; `abilities` is what a model can not do, `pricing` what an answer costs. It imports `auth/` and what is
below; what loads httpcore only when a service is asked.
"""

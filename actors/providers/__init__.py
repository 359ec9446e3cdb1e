"""The model services: one actor that alone holds their keys, asks models, lists them and signs in.

Its entrance is `actor`. From top to bottom: `requests/` tries until there is an answer; `scripted` stands in for a
model in tests; `known_secrets` keeps secrets from being sent; `models/` says which model is meant
and what it can; `auth/` holds credentials; `http/` carries; `formats/` writes and reads what is said; `services/` knows
the services; `faults/` names what went wrong; `endpoint` is where a request goes.
"""

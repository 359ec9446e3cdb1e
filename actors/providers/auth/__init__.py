"""Credentials of model services: kept keys, sign-ins, their renewal. Loads httpcore and keyring late.

Its entrance is `credentials`. From top to bottom: what a user asks for (`user_requests`, `other_programs`), what a
request needs (`endpoint_credentials`), where it is kept (`vault`, `os_keyring`, `dot_env`); `ways/` are the sign-ins.
"""

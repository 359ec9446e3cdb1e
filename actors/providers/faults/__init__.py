"""What goes wrong with a service, in words for users: its error bodies, how long to wait, whether to try again.

Its entrance is `fault`. `backoff` says when a request is tried again, `retry_after` what the service asked for. It
imports `endpoint` only.
"""

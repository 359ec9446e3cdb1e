"""What goes wrong with a service, in words for users: its error bodies, how long to wait, whether to try again.

Its entrance is `fault`. It imports `endpoint` only.
"""

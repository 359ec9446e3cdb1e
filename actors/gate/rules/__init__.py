"""What is decided about a call, by rules, modes and grants. Pure.

Its entrance is `scene`, which asks `call_decision`. It imports `subjects/`, `bash/` and `decision`.
"""

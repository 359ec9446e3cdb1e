"""What is decided about a call, by rules, modes and grants. Pure.

Its entrance is `scene`, which asks `call_decision` about a call. From top to bottom: `scene`, `call_decision`, what is
decided about one thing (`subject_decision`) and what would change that (`offers`), `matching` of rules, `modes`. It
imports `subjects/`, `own_tools`, `bash/` and `decision`.
"""

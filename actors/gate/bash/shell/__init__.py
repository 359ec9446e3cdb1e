"""What the shell itself does: variables, builtins, redirections, and the walk through a whole line.

Its entrance is `walk`. It imports `programs/`, `files/` and `language/`.
"""

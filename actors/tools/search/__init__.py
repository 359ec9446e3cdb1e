"""`glob` and `grep`, and ripgrep, by which all of them look for files.

Its entrance is `ripgrep` for other tools, `glob_and_grep` for the model. It imports `base`, `confinement/` and what is
below.
"""

"""`glob` and `grep`, and ripgrep, by which all of them look for files.

Its entrance for other tools is `ripgrep`. It imports `helper_programs` and what is below.
"""

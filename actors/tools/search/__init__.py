"""`glob` and `grep`, the files that a person looks for, and ripgrep, by which all of them look for files.

Its entrances are `ripgrep` for other tools, `glob_and_grep` for the model, `file_finder` for who types; `letters` tell
which files are meant. It imports `base`, `confinement/` and what is below.
"""

"""`bash`, at once or in the background, and what is told about its sandbox and its ports.

Its entrances are `bash` and `background`. It imports `search/`, `confinement/` and what is below.
"""

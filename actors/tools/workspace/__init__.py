"""What a call may read and write of the workspace, what is hidden, what was made or seen here.

Its entrance is `folder`. It imports `output` and `confinement/` only.
"""

"""What runs: trees of processes and how they end, pipes, jobs in the background, what they may use up.

Its entrance is `process_trees`. It imports no room beside it.
"""

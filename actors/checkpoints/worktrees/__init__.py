"""Copies of a repository for agents that write: each with a `.git` of its own, and brought back by an explicit step.

Its entrance is `requests`. From top to bottom: that; `making`, `merging` and `removing` one, which `keeping` its work
goes before; `patching`, what was changed as text; `overlaps` with others; `branches/`, commits for the user; `commits`
of an agent, `three_ways`, one file on both sides, and `kept_work`, what a ref of ours says; `work`, all that was
changed, and `present`, one file as it is; `users_repository`, where all comes from; `keyed_folder`, one worktree in
TROUPER_HOME; `problems`, why not.
"""

"""Folders that we make and use up: how it is known that nobody needs one any more, and how it is removed.

Its entrances are `worktree_places`, where copies of repositories lie; `lives`, of the processes that folders belong to;
`removal`, of one that others may have filled; and `left_commands`, of the processes that a killed program may leave.
"""

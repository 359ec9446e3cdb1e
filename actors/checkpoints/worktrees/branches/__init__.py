"""Commits that are made in the user's repository without a git running there, and the branch that leads to them.

Its entrance is `orders`: of kept work one commit on top of another (`stacking`), of what the user has not committed
(`uncommitted`), and a branch (`naming`). `handing_over` is how both get there. What the user has stays as it is.
"""

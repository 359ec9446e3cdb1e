"""`git_status`, `git_log` and their like, `gh`, and what a call would delete that git has not kept.

Its entrances are `git_tools`, `gh` and `deletions`. It imports `helper_programs` and what is below.
"""

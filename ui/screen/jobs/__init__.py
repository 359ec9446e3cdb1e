"""The commands that run on in the background: how many, which, what they print, and stopping one.

Its entrances are `job_list`, for /jobs, and `job_count`, which knows how many run; `words` is how they look.
"""

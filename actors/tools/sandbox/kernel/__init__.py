"""Linux's own means to confine: namespaces, Landlock, seccomp, and the launcher that stands in for bubblewrap.

`launcher` runs in a fresh interpreter for each command: it imports `system_calls` and the standard library only.
"""

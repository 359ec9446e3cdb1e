"""Linux's own means to confine: namespaces, Landlock, seccomp, and the launcher that stands in for bubblewrap.

Every module is an entrance. `seccomp` says which system calls are forbidden, `system_calls` only makes them.
`launcher` runs in a fresh interpreter for each command: it imports `system_calls` and the standard library only.
"""

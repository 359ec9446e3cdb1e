"""Linux's own means to confine: namespaces, Landlock, seccomp, and the launcher that stands in for bubblewrap.

Its entrances are `namespaces`, `landlock` and `seccomp`, each for good for the process that calls it,
`shared_network`, the way back to the machine's network, and `launcher`, a program: it runs in a fresh interpreter for
each command and imports `system_calls` and the standard library only. `namespaces` imports `view/`.
"""

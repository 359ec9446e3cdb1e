"""What the status line shows that the session's events do not tell: branch, the model's window, name, restarts.

Its entrances are `lookups`, which asks for it, and `known`, which has it. `session_name` is of the store, `checkout` of
the repository, whose changes `git_index` sees. The other way round, `calling` reaches who looks elsewhere.
"""

"""What a worker and its commands are confined to.

Its entrance is `setup`, which puts it together. From top to bottom: one file a way to confine (`bubblewrap`, `macos`)
and the guards beside it; `kernel/` is Linux's own means; `view/` is what is seen of the disk; `git/` are the places
that git reads commands from; `environment` and `levels` are what all of them need.
"""

"""Ways to sign in, one file each, listed in `table`. It imports `vault`, `http/` and `faults/`."""

"""What a command sees of the disk: private folders, mounts, masks over what is hidden.

Its entrance is `file_view`, which lists what is hidden, what stays and what is writable; `masks`, `mounts` and
`mount_points` only carry that out. It imports `git/` and `levels`.
"""

"""What a command sees of the disk: private folders, mounts, masks over what is hidden.

Its entrance is `file_view`. It imports `git/` and `levels`.
"""

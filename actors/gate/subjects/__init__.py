"""What a call touches: files, hosts, commands; and what is known of each place. It looks at the disk, no more.

Its entrance is `call_subjects`. It imports `bash/` and `decision`.
"""

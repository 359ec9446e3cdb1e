"""What is said to a service and what it answers, in its own wire format. No I/O.

Its entrance is `table`, which lists them; `wire` is what each has to offer, and a folder is one format. The rest reads
streams that are cut, lenient or hostile. It imports `services/` and `faults/`.
"""

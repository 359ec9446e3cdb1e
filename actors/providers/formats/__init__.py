"""What is said to a service and what it answers, in its own wire format. No I/O.

Its entrance is `table`; a folder is one format, as `actors.messages.model.Api` names it, and `wire_format` is what each
has to offer. The rest reads streams that are cut, lenient or hostile. It imports `services/` and `faults/`.
"""

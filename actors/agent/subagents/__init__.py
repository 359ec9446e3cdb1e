"""The subagents of a session: their parent's agent starts them, follows them to their end, and says how that was.

Its entrance is `subagents`: all of them. What they are is in `session/ledger`, read off the entries; each that has
not ended has a `life`. `calls` runs the model's calls about them, `orders` what the user asks, here or from another
program, `plan` says which may be spawned, `merging` which files of a patch are meant, `launch` starts and stops their
processes, `following` hears what they do, `board` tells who watches, and `stay` is about the end of a turn while some
run.
"""

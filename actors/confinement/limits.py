"""Every cap on what commands use and leave, in one place."""

JOBS = 16
"""Commands of one worker that run in the background at once."""
ENDED_JOBS = 8
"""Whose output is kept, of those that have ended."""
JOB_BYTES = 1024 * 1024
"""Kept of what one job prints: the end."""

MASKS = 200
"""Files that are hidden from one command of the sandbox because rules say so."""
MASKS_S = 3.0
"""For finding them."""
WATCH_S = 0.1
"""Between two looks at what a command uses."""
COMMAND_PROCESSES = 512
"""Of one command and all it started."""
PROCESSES = 4096
"""Of one worker, where the kernel counts them for us."""
COMMAND_MEMORY_SHARE = 0.5
"""Of the machine's memory."""
FREE_BYTES = 512 * 1024 * 1024
"""A command that leaves less of a disk is ended, unless there was less before it."""

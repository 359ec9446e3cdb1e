"""Every cap on what an MCP server may send, keep or cost, in one place."""

LINE_BYTES = 24 * 1024 * 1024
"""Of one message over a pipe. Images of 16 MB fit, as base64."""
TEXT_CHARS = 250_000
"""Of one result for the model."""
TEXT_TAIL_CHARS = 20_000
"""The part of them that is kept of the end."""
ATTACHMENTS = 10
ATTACHED_BYTES = 20 * 1024 * 1024
"""Of all attachments of one result."""
SUMMARY_CHARS = 120
BLOCKS = 2000
"""Of content in one result."""

PAGES = 100
"""Of one list: a server that pages for ever is cut."""
TOOLS = 500
RESOURCES = 2000
PROMPTS = 500
NAME_CHARS = 200
"""Of a tool; one with a longer name is left out."""
DESCRIPTION_CHARS = 8000
SCHEMA_CHARS = 64_000
"""Of one tool's arguments; a tool with more is offered without."""
INSTRUCTIONS_CHARS = 8000
LISTED_BYTES = 4 * 1024 * 1024
"""Of all that is told of one server; messages between actors carry it."""
RELIST_S = 0.5
"""Between two looks at lists that a server says have changed."""

CLOSES_S = 2.0
"""A server whose stdin was closed may leave by itself, then it is asked to, then it is ended."""
TERMINATES_S = 2.0
SWEPT_S = 5.0
"""For the guardian to end what is left."""

BACK_OFF_S = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
"""Before the next start after so many failures in a row."""
JITTER = 0.2
FAILURES = 5
FAILURES_S = 300.0
"""So many failures in that time, and it is given up."""
GIVEN_UP_S = 600.0
"""After that it is tried again when somebody asks."""

LOG_BYTES = 1024 * 1024
"""Of one log; the one before is kept beside it."""
TOLD_BYTES = 2000
"""Of what a server printed last, quoted with an error."""

PROGRESS = 16
"""Items of progress that wait to be told; more are dropped."""
TASK_POLL_S = 1.0
"""Between two looks at a task, where the server says nothing else."""
TASK_POLL_MAX_S = 10.0
FORM_FIELDS = 30
"""Of what a server may ask in one form."""
QUESTIONS = 5
"""Of one server that wait while another one of it is asked; more are declined."""
REFUSALS = 3
"""In a row, and it is not listened to for a while."""
SILENT_S = 60.0
TRIES = 3
"""To write a value that the form takes."""

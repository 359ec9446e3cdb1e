"""Every cap on what a tool takes in or gives out, in one place."""

READ_LINES = 2000
"""Lines of one `read` when no limit is given, and the most that can be asked for."""
READ_CHARS = 60_000
"""Characters of one `read`; it stops at the line before."""
LINE_CHARS = 2000
"""Characters shown of one line of a file."""
COUNTED_BYTES = 64 * 1024 * 1024
"""Up to this size `read` says how many lines a file has."""
EDIT_BYTES = 16 * 1024 * 1024
"""Bigger files are not edited, compared or previewed."""
MERGE_CHARS = 48_000
"""Of a file and the sketch of its edit together: about the 16,000 tokens that Morph's models are sure to take."""
SNIFF_BYTES = 8192
"""A file with a NUL byte among so many is binary."""

LIST_ENTRIES = 500
GLOB_FILES = 500
GREP_LINES = 300
SEARCH_BYTES = 60_000
GREP_COLUMNS = 300
GREP_FILE_SIZE = "16M"
"""Bigger files are not searched; in ripgrep's notation."""
SEARCH_S = 60.0
"""A search over more than this is too broad."""

BASH_TIMEOUT_S = 120
BASH_TIMEOUT_MAX_S = 600
BASH_HEAD_BYTES = 12_000
BASH_TAIL_BYTES = 24_000
LIVE_INTERVAL_S = 0.1
"""Between two items of live output."""
LIVE_BYTES = 8192
"""Of one item of live output; of more only the end is shown."""

DIFF_LINES = 4000
"""Changed lines beyond which no diff is made."""
NEAR_LINES = 20_000
"""Lines among which `edit` looks for the ones that were meant."""
NAMED_MATCHES = 20
"""Line numbers named when the text to replace is there many times."""

"""Every cap on what a tool takes in or gives out, in one place."""

RESULT_CHARS = 140_000
"""Of any result for the model: a net below the tools' own caps, which are lower."""
RESULT_TAIL_CHARS = 20_000
"""The part of them that is kept of the end."""

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
ATTACHED_BYTES = 20 * 1024 * 1024
"""Of an image or PDF that is read."""
SENT_IMAGE_BYTES = 3_750_000
"""Of an image as it is sent: as base64 it is a third more, and Anthropic takes 5 MB."""
IMAGE_SIDE = 2048
"""Pixels of the long side of an image; a larger one is made smaller."""
IMAGE_PIXELS = 50_000_000
"""An image of more is not decoded: it would take hundreds of megabytes."""
SNIFF_BYTES = 8192
"""A file with a NUL byte among so many is binary."""

LIST_ENTRIES = 500
LIST_DEPTH = 8
LIST_SCAN_BYTES = 16 * 1024 * 1024
"""Names of files that a tree is made of; beyond that the folder is too large for one."""
GLOB_FILES = 500
GREP_LINES = 300
SEARCH_BYTES = 60_000
GREP_COLUMNS = 300
GREP_FILE_LINES = 100
"""Matches shown of one file."""
GREP_FILE_SIZE = "16M"
"""Bigger files are not searched; in ripgrep's notation."""
SEARCH_S = 60.0
"""A search over more than this is too broad."""

BASH_TIMEOUT_S = 120
BASH_TIMEOUT_MAX_S = 600
BASH_COMMAND_CHARS = 1024 * 1024
BASH_HEAD_BYTES = 12_000
BASH_TAIL_BYTES = 24_000
LIVE_INTERVAL_S = 0.1
"""Between two items of live output."""
LIVE_BYTES = 8192
"""Of one item of live output; of more only the end is shown."""

EDITS = 200
"""Of one `multi_edit`."""
PATCH_CHARS = 2_000_000
DELETE_NAMED = 20
"""Files that are named when a folder is to be deleted."""
COUNTED_FILES = 10_000
"""Files that are counted for a preview."""

JOB_SHOWN_BYTES = 30_000
"""Of one `bash_output`."""
JOB_WAIT_MAX_S = 60
JOB_FIRST_LOOK_S = 0.5
"""`bash_background` waits so long for a job that fails at once."""
JOB_FILTER_S = 0.5
"""Between two looks for lines that match, while waiting for one."""

GIT_BYTES = 48_000
GIT_COMMITS = 20
GIT_COMMITS_MAX = 200
GH_BYTES = 48_000
GH_S = 60.0
GH_ARGUMENTS = 40

CHECK_S = 5.0
"""For all that checks the files of one edit, before and after it."""
CHECK_SHOWN = 20
"""New errors that are added to the result of an edit."""
CHECK_BYTES = 200_000
"""Of what one checker prints."""
CHECK_FILE_BYTES = 1024 * 1024
"""Bigger files are not checked."""
CHECK_KNOWN = 500
"""Results of checks that are remembered."""

DIFF_LINES = 4000
"""Changed lines beyond which they are not compared."""
DIFF_CHARS = 20_000
"""Of a diff that the model sees of its own edit."""
NEAR_LINES = 20_000
"""Lines among which `edit` looks for the ones that were meant."""
NAMED_MATCHES = 20
"""Line numbers named when the text to replace is there many times."""

PROGRAM_S = 20.0
"""For a program that a tool runs for itself."""

SYMBOL_FILES = 2000
"""Source files one `symbols` reads."""
SYMBOL_ROWS = 400

WEB_BYTES = 8 * 1024 * 1024
"""Of one answer, as it comes and unpacked; what is longer is cut."""
WEB_CHARS = 50_000
"""Of one page for the model, when no limit is given."""
WEB_CHARS_MAX = 128 * 1024
WEB_ERROR_CHARS = 2000
"""Of what a server says with an error."""
WEB_S = 30.0
"""For one fetch with all its redirects, however slowly bytes arrive."""
WEB_CONNECT_S = 8.0
"""For one address."""
WEB_ADDRESSES = 4
"""Of one host that are tried."""
WEB_HOPS = 10
WEB_PAGE_CHARS = 2 * 1024 * 1024
"""Of the source of a page that is turned into Markdown: some 6 s of work."""
WEB_CONVERT_CPU_S = 15
"""For turning a page into Markdown: there are pages made to take for ever."""
WEB_CONVERT_MEMORY = 2 * 1024 * 1024 * 1024
SEARCH_PAGES_MAX = 10

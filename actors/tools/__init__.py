"""The tools, in the order the model sees them. A new one is a module and a line here."""

from actors.tools.apply_patch import APPLY_PATCH
from actors.tools.background import BASH_BACKGROUND, BASH_KILL, BASH_OUTPUT
from actors.tools.bash import BASH
from actors.tools.edit import EDIT
from actors.tools.folders import DELETE, MAKE_DIR
from actors.tools.gh import GH
from actors.tools.git import GIT_DIFF, GIT_LOG, GIT_SHOW, GIT_STATUS
from actors.tools.listing import LIST
from actors.tools.morph_edit import MORPH_EDIT
from actors.tools.multi_edit import MULTI_EDIT
from actors.tools.read import READ
from actors.tools.relocate import COPY, MOVE
from actors.tools.search import GLOB, GREP
from actors.tools.symbols import SYMBOLS
from actors.tools.todo import TODO
from actors.tools.web.fetch import WEB_FETCH
from actors.tools.web.search import WEB_SEARCH
from actors.tools.write import WRITE

EDITS = (EDIT, MULTI_EDIT, APPLY_PATCH, MORPH_EDIT, WRITE)
"""They change what is in files, and say in their outcome what was there: checkers look at these."""
ALL = (
    *(READ, LIST, GLOB, GREP, SYMBOLS),
    *(*EDITS, MOVE, COPY, DELETE, MAKE_DIR),
    *(BASH, BASH_BACKGROUND, BASH_OUTPUT, BASH_KILL, GIT_STATUS, GIT_DIFF, GIT_LOG, GIT_SHOW, GH),
    *(WEB_FETCH, WEB_SEARCH, TODO),
)

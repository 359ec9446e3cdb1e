"""The tools, in the order the model sees them. A new one is a module and a line here."""

from actors.tools.bash import BASH
from actors.tools.edit import EDIT
from actors.tools.listing import LIST
from actors.tools.morph_edit import MORPH_EDIT
from actors.tools.read import READ
from actors.tools.search import GLOB, GREP
from actors.tools.write import WRITE

ALL = (READ, WRITE, EDIT, BASH, GLOB, GREP, LIST, MORPH_EDIT)

"""What real vim makes of a text and commands."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

SCRIPT = """
set nocompatible noautoindent nojoinspaces encoding=utf-8
let results = []
for [text, commands] in json_decode(readfile($CASES)[0])
  enew!
  call setline(1, split(text, "\\n", 1))
  call cursor(1, 1)
  call setreg('"', "")
  call setcharsearch({"char": ""})
  let &undolevels = &undolevels
  for command in commands
    execute "normal! " . command
  endfor
  let whole = join(getline(1, "$"), "\\n")
  let before = join(getline(1, line(".") - 1) + [strpart(getline("."), 0, col(".") - 1)], "\\n")
  call add(results, [whole, strchars(before)])
endfor
call writefile([json_encode(results)], $RESULTS)
qall!
"""


def results(cases: Sequence[tuple[str, Sequence[str]]], folder: Path) -> list[tuple[str, int]]:
    """For each text, with the cursor at its start, and whole commands: the text then, and the cursor's place in it."""
    (folder / "script.vim").write_text(SCRIPT)
    (folder / "cases.json").write_text(json.dumps(cases))
    environment = {"CASES": str(folder / "cases.json"), "RESULTS": str(folder / "results.json"), "LANG": "C.UTF-8"}
    command = ["vim", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S", str(folder / "script.vim")]
    subprocess.run(command, env={**environment, "PATH": "/usr/bin:/bin"}, stdin=subprocess.DEVNULL, timeout=60)
    return [(text, place) for text, place in json.loads((folder / "results.json").read_text())]

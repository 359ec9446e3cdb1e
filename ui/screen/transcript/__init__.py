"""What was said and done, as pieces that become rows at any width.

Its entrances are `blocks`, one class a piece, and `open_answer`, what is still being said. `markdown` cuts an answer
into blocks, `prose` sets one in rows, inline styles and all, `code` colours one, `diff` shows a change; `calls` names a
call in a few words, `thought` says how long it was thought, `todo` lists steps, `plan` keeps one; `arrival` is what of
another place is shown again. What becomes of subagents is in `subagents/`.
It imports `terminal/` only.
"""

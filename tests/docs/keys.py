"""The page of the keys, out of the tables that the screen goes by."""

from tests.docs.table import table
from ui.screen.commands.table import BY_NAME
from ui.screen.composer.key_names import shown
from ui.screen.keyboard.contexts import BY_NAME as CONTEXTS
from ui.screen.questions.queue import ANSWERING

PAGE = """# Keys and commands of the screen

<!-- Written by `just docs` from the tables the screen goes by: change those. -->

An interactive session begins with `trouper`, in a terminal. What leads there and away again is in
[sessions](sessions.md), the modes and the rules behind its questions in [permissions](permissions.md).

## Anywhere

{anywhere}

## In the composer

{composing}

Text that is typed or pasted goes in as it is; a long paste is shown as a marker and sent whole. Images and PDFs that
are dropped on the terminal, or whose paths are pasted, go with the prompt.

### Editing

{editing}

Shift+Enter and Ctrl+Backspace need a terminal that tells them from Enter and Backspace (by the Kitty protocol or
modifyOtherKeys); Ctrl+J always works.

### As in vi

With `editing = "vi"` in `config.toml` the composer has vi's modes. One begins with typing; Esc leads to commands, and
there Esc is the key of the tables above: it interrupts the agent. Between commands the sign in front of the text is
`❮`, the row at the bottom says `normal`, with what of a command is there already, and the cursor is a block where the
terminal can do that. Enter sends in both modes, and the next prompt begins with typing.

- **To move:** `h l w b e W B E 0 ^ $ gg G f t F T ; ,`, and `j k` by rows; beyond the last row and the first one they
  lead to other prompts.
- **To change:** `d c y` with a motion, or with what the cursor is in: `iw aw iW aW`, and `i` or `a` with a quotation
  mark or a bracket; `dd cc yy D C Y x X s S r ~ J p P`.
- **To type:** `i a I A o O`.
- **Again, and back:** `.`, `u`, Ctrl+R.

Counts work with all of them. A paste or a file is one character. `/` and `!` in an empty composer begin a command.
A terminal sends the same for Alt and a letter as for Esc and then the letter: while one types it is the second.
There is no search and no visual mode; all other keys do what they do else.

## In a question

{answers}

Every answer has a letter or a number, shown in front of it: that key gives it. An answer that lets something happen
is taken once all of the question was on the screen. In its first moment a question takes no keys, nor right after
something was typed: those were meant for what was there before.

While something is written in the composer keys go there; only {answering} are for the question, and Enter after Tab.
A slash begins a command there.

Some answers take a note. While one is written the keys for editing work as above, and:

{notes}

## In a list

What is typed finds rows, and these keys go through them:

{lists}

### In a list of sessions

As `/resume` shows them, with these keys besides:

{sessions}

## In the pager

{pager}

While what is looked for is typed, the keys for editing work as above; Enter looks for it, Esc gives it up.

## Other keys

`keys.toml` in the folder of your settings (`~/.trouper`, or `TROUPER_HOME`) gives actions other keys: a table for each
place where keys count, in it the action, and a key or a list of keys. Those are all the keys that it has then; an
empty list takes them away.

```toml
[composing]
cycle-mode = ["shift+tab", "alt+m"]

[editing]
undo = "ctrl+o"

[question]
take-marked = ["enter", "l"]
```

A key is written as in the tables above, in any case: `ctrl+a`, `alt+enter`, `shift+tab`, `pagedown`, `f5`, `space`,
and where nothing is typed a character alone. Two keys one after the other are written with a blank between:
`ctrl+x a`. `/keys` shows what counts, with the names of actions and places.

What is wrong is told when the screen starts, and the default counts for it: a name that there is not, a key that
another action has which counts at the same time, a character where it is text, and what would leave no way out: Esc and
Ctrl+C stay with what they do, which may have further keys. Letters of answers and what is typed after a slash are no
bindings.

## Keys a terminal does not tell

Enter and Shift+Enter, or Tab and Ctrl+I, are the same byte in an old terminal. Trouper asks for more when it starts, by
the Kitty protocol and by xterm's modifyOtherKeys, and switches both off at its end. Most terminals of today know one of
them; in tmux it takes a line in `~/.tmux.conf`, then `tmux kill-server`:

```text
set -s extended-keys on
set -as terminal-features 'xterm*:extkeys'
```

In GNU screen, the Linux console and macOS' Terminal it does not work: a new line is Ctrl+J there, or a backslash and
Enter. Alt needs "Option as Meta" (iTerm2: "Esc+") on macOS.

## Commands

A line that begins with a slash is one of these, or `/SERVER:PROMPT` for a prompt of an
[MCP server](mcp-servers.md#resources-and-prompts); everything else is a prompt.

{commands}
"""


def page() -> str:
    return PAGE.format(
        anywhere=_keys("anywhere"),
        composing=_keys("composing"),
        editing=_keys("editing"),
        answers=_keys("question"),
        answering=", ".join(map(shown, ANSWERING)),
        notes=_keys("note"),
        lists=_keys("list"),
        sessions=_keys("sessions"),
        pager=_keys("pager"),
        commands=table(
            ("command", "what it does"),
            [
                (f"`/{command.name} {command.arguments}`".replace(" `", "`"), command.summary)
                for command in BY_NAME.values()
            ],
        ),
    )


def _keys(context: str) -> str:
    rows = [
        (", ".join(map(shown, binding.keys)), f"`{binding.action}`", binding.meaning)
        for binding in CONTEXTS[context].bindings
    ]
    return table(("key", f"action of `[{context}]`", "what it does"), rows)

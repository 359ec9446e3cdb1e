"""MCP servers as other programs have them configured, in our words; what has no word here is told, never dropped.

Its entrance is `programs`: which there are, and where they keep theirs. A module a program: `claude_code`, `cursor`,
`codex`, `vscode`; `translation` is what they share.
"""

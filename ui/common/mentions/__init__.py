"""What a prompt names, as a quotation that goes along: a file, a folder, an address, what MCP servers have, a session.

Its entrance is `going_along`. Below: `addressee` tells the model which kind of subagents the prompt is for; `fetching`
asks the gate for what is named, as the model's own call would be judged; `sessions` asks the store what an earlier one
was about; `places` finds which files there are on the disk; `written` reads what was typed.
"""

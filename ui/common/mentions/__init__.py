"""What a prompt names with an @, a file, a folder or an address, and of MCP servers: it goes along as a quotation.

Its entrance is `going_along`. Below: `addressee` tells the model which kind of subagents the prompt is for; `fetching`
asks the gate for what is named, as the model's own call would be judged; `places` finds which there are on the disk;
`written` reads what was typed.
"""

"""Texts for the model that lie in files: what may be read of them, and whose words they are.

Its entrances are `skills`, `templates`, `instruction_files`, `memory`, `token_estimate` and the room `agents/`.
From top to bottom:
`skills`, folders with a SKILL.md, `templates`, slash commands that are files, and `agents/`, the kinds of subagents;
`instruction_files`, the AGENTS.md of all folders; `memory`, what the user wants remembered; `includes` puts other files
into a text, `front_matter` is what stands above one; `documents` reads one, under the rules of the gate; `places` are
the folders of each kind; `token_estimate`, how much a text is to a model. The agent, the gate and the screen use it; it
imports `settings/`, `common/` and errors, and no actor.
"""

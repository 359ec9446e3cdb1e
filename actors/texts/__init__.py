"""Texts for the model that lie in files: what may be read of them, and whose words they are.

Its entrances are `skills`, `templates`, `instruction_files` and `memory`. From top to bottom: `skills`, folders with a
SKILL.md, and `templates`, the slash commands that are files;
`instruction_files`, the AGENTS.md of all folders; `memory`, what the user wants remembered; `includes` puts other files
into a text, `front_matter` is what stands above one; `documents` reads one, under the rules of the gate; `places` are
the folders of each kind. The agent, the gate and the screen use it; it imports `settings/`, `common/` and errors, and
no actor.
"""

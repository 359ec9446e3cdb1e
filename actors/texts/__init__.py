"""Texts for the model that lie in files: what may be read of them, and whose words they are.

Its entrances are `skills` and `instruction_files`. From top to bottom: `skills`, folders with a SKILL.md, and
`instruction_files`, the AGENTS.md of all folders; `includes` puts other files into a text; `documents` reads one, under
the rules of the gate; `front_matter` is what stands above one, `places` are the folders of each kind. The agent, the
gate and the screen use it; it imports `settings/`, `common/` and errors, and no actor.
"""

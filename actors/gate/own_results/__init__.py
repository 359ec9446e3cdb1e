"""What the gate's own tools give, where that is more than an answer of the user. No worker is needed for it.

Every module is an entrance: `plan_answers`, what follows from the answer to a plan; `skill_text`, what a skill says;
`recalled`, what was said in the session before what the model is still sent; `found_tools`, those of MCP servers.
"""

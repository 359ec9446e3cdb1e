"""What stands in a session beside the rules of files and flags: its mode, and what the user has allowed in it.

Its entrance is `agent_states`: which session each agent has open, and the scene that its calls are judged in. Below:
`session_modes`, `session_grants` and `confinements` of subagents are kept for each session, also for the next run of
the program, and `given_rules` for this run.
"""

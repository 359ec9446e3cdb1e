"""What the user does about subagents: look at one's session, tell it something, cancel it, take its changes over.

Its entrances are `agent_list` (/agents) and `leaving`, which asks before they end with the program. `onlooking` follows
a session that is shown in the place of the own one; below it `orders`, what the agent is asked to do with one.
"""

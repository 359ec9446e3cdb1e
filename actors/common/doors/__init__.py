"""The doors of agents: other programs of the same user see what an agent has, and may ask something of it.

Its entrances are `door` (of an agent, for whoever comes) and `visitor` (who comes). What they say is in `words`, and
`lines` are how it goes over the socket, bounded in length and time.
"""

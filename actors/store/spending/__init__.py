"""What sessions have used, and the room for more that is reserved before a request.

Its entrances are `sums`, which counts with every entry, `leases`, which ends a reservation with the entry that
settles it, and `waiting`, where whoever wants room waits for it; `budgets` says how a budget stands and who gets
something; `counting` catches up on what older versions wrote.
"""

"""What an agent's session is: its entries and what follows from them, the way to the store, and who watches.

`history` is pure; the others talk to the store or to watchers. It imports settings, messages and the mailbox.
"""

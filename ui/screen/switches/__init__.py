"""What the user switches in the middle of a session: the model, the mode, the rules of permission.

Its entrances are `model_switch`, `modes` and `permission_list`, one a kind of switch. It imports `session_view`.
"""

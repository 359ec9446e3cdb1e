"""What the user has said for good: config files, rules as written, what was vouched for, where secrets lie.

The entrance is `config.load`. It imports messages, errors and the common room; no actor.
"""

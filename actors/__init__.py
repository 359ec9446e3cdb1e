"""What the agent does: one folder an actor, what several of them need, and the words they exchange.

Its entrances are `messages/`, what is said, and `mailbox`, by which it is said. From top to bottom: the actors
(`agent/`, `checkpoints/`, `gate/`, `providers/`, `store/`, `tools/`), which are entered by their `actor` and never
import one another; `settings/`; `common/`; `mailbox`; `errors`; `messages/`. It imports neither the supervisor nor the
screen.
"""

"""What the model is sent of a conversation that grew long: decisions over entries, without any I/O.

Its entrances are `sent` for the request, `proposal` for what to send less, `window` for when, `parts` and `told` for
people; `asked` is one that the user wants, while it goes on. From top to bottom: `asked`; `told`; `proposal` and
`parts`; `sent`, `summary`; `carried`, `shrink`; `estimate` counts tokens, `window` knows the shares of the model's
window, `cut` shortens a text. `shell_ledger` knows which of the user's own commands the next prompt brings with it.
"""

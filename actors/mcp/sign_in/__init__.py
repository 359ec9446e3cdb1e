"""Signing in to a server by OAuth, as the SDK does it: what is kept of that, and the way by the user's browser.

Its entrance is `way`. `admission` lets each request in, with the token that `renewal` renews in time; `client` is as
whom; `kept` is the file with the tokens; `redirects` hears where the browser ends; `addresses` says which are believed,
`bounded` how much.
"""

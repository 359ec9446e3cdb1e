"""How messages reach a server and come back: over its pipes, or over HTTP; bounded, and mended where they can be.

Its entrances are `stdio` and `network`. `lines` cuts what comes out of a pipe; `mended_streams` puts what `mending`
knows between a transport and the SDK.
"""

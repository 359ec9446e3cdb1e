"""Bytes to a service and back: connections, TLS, streams, WebSockets, the time they may take.

Its entrance is `exchange`, for HTTP; `responses_socket` is a conversation over a `websocket`, from its handshake to its
end. `response_body` and `small_answers` read, `pools` send on `connections` that are kept or through `proxies`,
`tls_handshake` secures and `unpacking` unpacks them, `transport_rules` say what may go where, `network_faults` names
what broke, `answer_listener` is told meanwhile. It imports `formats/` (what is to be sent and read), `services/` and
`faults/`. Whatever loads httpcore is imported by others inside a function, when the first
request is made.
"""

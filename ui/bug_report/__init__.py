"""`trouper bug-report`: what somebody else needs to see to find a fault, in one file without secrets. Nothing is sent.

Its entrances are `front`, which asks those that know, and `bundle`, which puts the file together from what was found;
`shape` is a session without its words, `logs` are the ends of the log.
"""

"""How this person likes to be spoken to: measured in what they write, read by a model, or simply asked for.

`measuring` reads one message, `traits` keeps what many of them add up to, `wishes` recognises what is asked for, and
`choosing` decides what the mind is told. All of it is pure.
"""

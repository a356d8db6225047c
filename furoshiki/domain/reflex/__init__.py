"""The built-in mind: no language model, only what was said, what is felt, rules and prepared words.

`respond(situation, rng)` speaks or asks for skills; `read_session(turns)` reads a finished conversation;
`contradicts(old, new)` judges facts. All of it is pure.
"""

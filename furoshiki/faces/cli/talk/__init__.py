"""Commands with which it is talked with: the chat, who may talk to it, lists and the journal."""

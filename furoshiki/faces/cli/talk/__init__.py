"""Commands for talking: the chat, the people who may talk, tasks and the journal."""

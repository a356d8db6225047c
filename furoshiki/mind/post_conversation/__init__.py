"""Reading a finished conversation, and what it leaves behind."""

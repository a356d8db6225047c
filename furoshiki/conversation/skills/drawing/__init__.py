"""Pictures that the companion has painted: asked for, painted beside the conversation, and sent once."""

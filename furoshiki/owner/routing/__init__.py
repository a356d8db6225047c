"""What a message is about and which way it is answered best: topics, boundaries, modes; and learning from it."""

"""Routing: a message's topic, the best way to answer it (its mode), and learning from results."""

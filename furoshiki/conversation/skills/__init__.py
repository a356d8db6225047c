"""What a model may call within a turn: one module for each skill, and their registry."""

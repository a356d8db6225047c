"""Database rows of models: costs, batches, learned restrictions, and pauses."""

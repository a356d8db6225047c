"""The rows of models: costs, and what waits for one that is away."""

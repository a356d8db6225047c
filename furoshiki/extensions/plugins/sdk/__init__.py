"""What authors of plugins import: the one module of it lies readable in the sandbox, and imports nothing of ours."""

"""Access control of the dashboard: who may come in, and in which role."""

"""The rows of imports and exports."""

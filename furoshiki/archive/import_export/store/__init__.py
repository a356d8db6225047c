"""The database rows of imports and exports."""

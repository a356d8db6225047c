"""Questions to the database that these overviews ask: figures over time."""

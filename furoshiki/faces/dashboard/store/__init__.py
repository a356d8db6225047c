"""Questions to the database that only pages and the API ask: series over time, lists with cursors."""

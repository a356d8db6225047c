"""The database: connection, schema, migration, key and value, events, retention."""

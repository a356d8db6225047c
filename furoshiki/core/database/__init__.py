"""The database: connections, schema, migrations, key-value store, events, retention."""

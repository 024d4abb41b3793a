"""The database: schema, migrations, reading and writing entries, and the message bus between processes."""

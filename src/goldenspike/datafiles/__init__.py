"""TOML files with line numbers: read one, check its values, and report all its problems."""

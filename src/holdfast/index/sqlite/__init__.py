"""The store in one SQLite file per agent: schema, note rows, words and vectors."""

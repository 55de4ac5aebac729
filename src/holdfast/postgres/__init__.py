"""A save of a tenant → rows of PostgreSQL, in one transaction; rows → notes, journal, objects, transcripts and state.

For those who outgrow one machine: PostgreSQL holds the truth, and every server keeps the SQLite index as its cache.
"""

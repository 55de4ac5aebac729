"""The functions beside the rows of the table: they work around an operation, show its result or tell of it."""

"""Text, paths and ids from outside come in; the same values, or an error that says what is wrong, go out."""

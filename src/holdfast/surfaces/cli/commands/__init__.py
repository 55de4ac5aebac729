"""One file for each command: its arguments, and what it prints."""

"""Keep what was said: transcripts on disk, their state, their rows in the index, and their exports as notes."""

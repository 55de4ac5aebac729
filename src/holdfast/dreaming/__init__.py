"""Dreaming: from what was written, said and asked for over the days, a plan of what belongs into every prompt."""

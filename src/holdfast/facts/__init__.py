"""Tell what is known about the user: facts, each a bullet of a note, found, kept apart, dated and replaced."""

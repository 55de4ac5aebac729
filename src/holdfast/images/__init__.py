"""Images of a workspace in; rows of the index with the words in them, what they show and when they were taken, out."""

"""Messages of a conversation come in; what its next turn is to see, and what outlasts it, goes out."""

"""Notes come in; rows that answer keyword and vector queries go out. A cache: delete it and nothing is lost."""

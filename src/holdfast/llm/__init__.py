"""A conversation comes in; the next turn of a model goes out, with what it cost."""

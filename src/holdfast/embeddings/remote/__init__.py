"""Embedders that ask another machine: text goes out over HTTP, vectors come back and are checked."""

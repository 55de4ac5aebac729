"""The path or the hub's name of a model comes in; an embedder that runs it on this machine goes out."""

"""A server's address → the same methods as `Memory` has, with the same values as their results."""

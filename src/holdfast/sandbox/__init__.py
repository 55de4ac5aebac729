"""A command and what it may see of a workspace in; the command run by bubblewrap, or arguments for a host, out."""

"""Long-term memory for AI agents, in Markdown files: the public names, nothing else."""

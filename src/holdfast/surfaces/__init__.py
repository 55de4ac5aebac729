"""The ways in: each parses a request, calls a tool and renders the result."""

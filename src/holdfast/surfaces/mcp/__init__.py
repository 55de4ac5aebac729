"""Requests of MCP clients in, over stdio or HTTP; the tools' results, notes and prompts out."""

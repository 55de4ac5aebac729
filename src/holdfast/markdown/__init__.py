"""Markdown text in; chunks with exact line ranges, heading paths and content-hash ids out. Pure: no disk, no clock."""

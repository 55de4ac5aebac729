"""Paths come in; Markdown notes, read and replaced whole inside one workspace, go out."""

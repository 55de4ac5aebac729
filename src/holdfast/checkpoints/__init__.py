"""Edits of notes come in; changes that are durable, listed and reversible go out."""

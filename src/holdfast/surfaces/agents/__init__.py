"""Coding agents: what their configuration needs comes out, and what their hooks send comes in."""

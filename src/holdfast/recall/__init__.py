"""Hits for a message → those worth bringing to mind, said once and likely to answer."""

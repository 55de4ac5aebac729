"""Put what somebody wants into MEMORY.md: written at once where the user typed it, else left to the owner."""

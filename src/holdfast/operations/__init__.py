"""The agent's verbs: a call with plain arguments comes in, a typed result goes out; the only logic surfaces call."""

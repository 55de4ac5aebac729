"""Settings, notes, index and providers of one agent, opened on somebody's behalf → what every operation works with."""

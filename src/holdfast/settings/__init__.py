"""`holdfast.toml`, the environment and arguments in; one frozen value for each room out."""

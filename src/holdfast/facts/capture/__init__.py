"""A message of the user comes in; what it says about the user, in the user's own words, comes out. Pure."""

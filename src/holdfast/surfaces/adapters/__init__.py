"""Memory in the shapes that agent frameworks ask for; each file needs the extra of its framework and no other."""

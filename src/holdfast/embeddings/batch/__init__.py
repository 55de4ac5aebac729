"""Batch jobs: many texts go to a provider at once, for half the price, and their vectors come back later."""

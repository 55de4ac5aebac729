"""A wish to forget → the bullets and sentences that say it, removed from one note or from everywhere."""

"""A question comes in; hits go out, ranked, cited, and with the reason for every score."""

"""What was written, said and asked for over the days comes in; what belongs into every prompt goes out, as a plan."""

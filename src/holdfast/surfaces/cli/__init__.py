"""The command line: arguments come in; text for people, or JSON for programs, goes out."""

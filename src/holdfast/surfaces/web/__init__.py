"""The web app: its built files, and how they are sent."""

"""The web app: its built files (from `web/`), and what serves them."""

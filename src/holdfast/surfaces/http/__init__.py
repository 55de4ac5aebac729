"""HTTP requests in, memory over JSON out: the door, the routes, what runs in the background, and the server."""

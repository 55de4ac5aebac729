"""HTTP requests in, memory over JSON out: the guard, the routes, what runs in the background, and the server."""

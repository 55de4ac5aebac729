"""Arguments of a request in, the library's own result out: a typed function for each route, a file for each topic."""

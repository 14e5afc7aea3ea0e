"""Makes solutions: what a build knows, what it tries next, and the solution that comes of it."""

"""Solutions as pages and cards."""

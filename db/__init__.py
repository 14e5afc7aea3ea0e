"""The store: every verdict and every certificate, kept for ever, and the books that are made of them."""

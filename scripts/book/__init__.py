"""`claimeven book`: opening books, out of the store and into it."""

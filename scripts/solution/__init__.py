"""`claimeven solution`: the whole game proved, small: build, check, look at and play solutions."""

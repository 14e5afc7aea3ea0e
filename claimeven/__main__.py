"""`python -m claimeven`: the `claimeven` command."""

from claimeven.scripts.main import main

if __name__ == "__main__":
    main()

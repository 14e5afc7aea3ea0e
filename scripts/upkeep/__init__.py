"""What the repository needs and its users do not: the environment, the checks, what its pages show."""

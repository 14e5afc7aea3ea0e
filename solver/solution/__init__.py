"""Solutions: a whole game proved, small. Files, their checks, who plays by them; `building` and `finding` make them."""

"""Solutions: a whole game proved, small. Priority diagrams, the graphs above them, and what makes them."""

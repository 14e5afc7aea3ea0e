"""What a book costs before it is built: a model of time and money, and a simulation of many workers."""

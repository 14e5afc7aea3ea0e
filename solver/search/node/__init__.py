"""One node of a search: its lines, what the rules say of it at once, forced sequences, its moves and their order."""

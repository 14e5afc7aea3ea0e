"""Pictures of boards as SVG: the grid that all of them share, a position, its scores, its threats, its proof."""

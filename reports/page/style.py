"""The colours of the report in a light and a dark version, and the symbols that say the same without any colour."""

from __future__ import annotations

from dataclasses import dataclass

from claimeven.solver.drawing.colours import DARK, LIGHT, Palette
from claimeven.solver.verdict import AT_LEAST_DRAW, AT_MOST_DRAW, BLACK_WINS, DRAWN, UNDECIDED, WHITE_WINS


@dataclass(frozen=True, slots=True)
class Look:
    """How a value or a source is shown: words, a symbol where those have no room, and in plots a hatching.

    `colour` is a CSS variable.
    """

    words: str
    symbol: str
    hatch: str
    colour: str


VALUES = {
    str(bounds): Look(bounds.words, symbol, hatch, colour)
    for bounds, symbol, hatch, colour in (
        (WHITE_WINS, "W", "", "--white-wins"),
        (DRAWN, "=", "..", "--draw"),
        (BLACK_WINS, "B", "//", "--black-wins"),
        (AT_MOST_DRAW, "B=", "xx", "--not-white"),
        (AT_LEAST_DRAW, "W=", "\\\\", "--not-black"),
        (UNDECIDED, "?", "--", "--unknown"),
    )
}
"""By the names of `Bounds`."""

SOURCES = {
    "rules": Look("rules", "", "", "--by-rules"),
    "search": Look("search", "", "//", "--by-search"),
    "retrograde": Look("retrograde", "", "..", "--by-retrograde"),
    "terminal": Look("end of the game", "", "xx", "--unknown"),
    "import": Look("import", "", "--", "--not-black"),
    "book": Look("book", "", "--", "--not-white"),
}
"""By the names of `Source`."""


def _hues(palette: Palette) -> dict[str, str]:
    """The colours of solutions, as on pictures."""
    return {f"--hue{number}": hue for number, hue in enumerate(palette.hues)}


# After Okabe and Ito's palette, which stays apart for all kinds of colour vision.
_LIGHT = {
    "--page": "#ffffff",
    "--panel": "#f6f8fa",
    "--ink": "#1f2328",
    "--muted": "#57606a",
    "--line": "#c4ccd4",
    "--accent": "#005f96",
    "--on-accent": "#ffffff",
    **_hues(LIGHT),
    "--white-wins": "#e69f00",
    "--draw": "#56b4e9",
    "--black-wins": "#0072b2",
    "--not-white": "#009e73",
    "--not-black": "#cc79a7",
    "--unknown": "#8c959f",
    "--by-rules": "#009e73",
    "--by-search": "#d55e00",
    "--by-retrograde": "#56b4e9",
}
_DARK = _LIGHT | {
    "--page": "#0d1117",
    "--panel": "#161b22",
    "--ink": "#e6edf3",
    "--muted": "#9aa4ae",
    "--line": "#3d444d",
    "--accent": "#6cb6ff",
    "--on-accent": "#0d1117",
    **_hues(DARK),
    "--black-wins": "#4f9fd6",
    "--draw": "#8fd0f5",
}


def variables() -> str:
    """The CSS that sets the colours, dark ones for whoever prefers dark pages."""
    light, dark = (";".join(f"{name}:{colour}" for name, colour in scheme.items()) for scheme in (_LIGHT, _DARK))
    return f":root{{color-scheme:light dark;{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"

"""The colours of pictures in a light and a dark version, and the style sheet of a board in them.

Nothing is said by colour alone. A picture brings its own page, so that it can be read on whatever it is shown on.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Scheme(StrEnum):
    """Light, dark, or whichever of them the reader prefers."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one scheme; `page` can be read on each of the hues."""

    page: str
    ink: str
    muted: str
    line: str
    cell: str
    stone_line: str
    hues: tuple[str, ...]


# After Okabe and Ito's palette, which stays apart for all kinds of colour vision.
LIGHT = Palette(
    page="#ffffff",
    ink="#1f2328",
    muted="#59636e",
    line="#c4ccd4",
    cell="#e9eef3",
    stone_line="#1f2328",
    hues=("#0072b2", "#b84f00", "#007a59", "#a0457f", "#7a6000", "#5a4fcf"),
)
DARK = Palette(
    page="#0d1117",
    ink="#e6edf3",
    muted="#9aa4ae",
    line="#4a535d",
    cell="#3a4553",
    stone_line="#d5dde5",
    hues=("#56b4e9", "#ff9a57", "#2fc79a", "#e39cc7", "#e6c229", "#aaa4ff"),
)
HUES = len(LIGHT.hues)

_SHAPES = (
    "text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;font-size:13px}",
    ".title{font-size:16px;font-weight:600}",
    ".axis,.label,.score,.words,.tag,.danger,.number,.parity,.digit{text-anchor:middle}",
    ".label,.tag{font-weight:700}",
    ".list{font-family:'DejaVu Sans Mono',Consolas,Menlo,monospace;font-size:12px}",
    ".score{font-variant-numeric:tabular-nums}.score.best{font-weight:700}",
    ".pill{fill:none;stroke-width:1.6}.page{stroke-width:1}",
    ".white-stone,.black-stone{stroke-width:1.8}",
    ".ours{stroke-width:2}.theirs{fill:none;stroke-width:2}.shared{fill:none;stroke-width:2;stroke-dasharray:4 3}",
    ".part{fill-opacity:.3}",
    ".threat{fill:none;stroke-width:2.6}.danger{font-size:14px;font-weight:700}",
    ".zugzwang{fill:none;stroke-width:2}.parity{font-size:10px}.words{font-size:11px}.number{font-weight:600}",
    ".won{stroke-width:5;stroke-linecap:round}.killed{stroke-width:2.5;stroke-linecap:round;stroke-opacity:.85}",
    ".digit{font-size:15px;font-weight:600}.playable{fill:none;stroke-width:1.6}.chosen{fill:none;stroke-width:3}",
    ".faint{opacity:.3}.to-come circle{stroke-width:1}",
)


def style_sheet(scheme: Scheme) -> str:
    """The style of a picture of a board, for elements inside one of the class `claimeven-SCHEME`.

    A style in a picture that is part of a page holds for all of the page, so every rule names that class.
    """
    scope = f".{scope_of(scheme)} "
    if scheme is not Scheme.AUTO:
        return _scoped(scope, [*_SHAPES, *_paint(LIGHT if scheme is Scheme.LIGHT else DARK)])
    dark = _scoped(scope, _paint(DARK))
    return f"{_scoped(scope, [*_SHAPES, *_paint(LIGHT)])}@media (prefers-color-scheme:dark){{{dark}}}"


def scope_of(scheme: Scheme) -> str:
    """The class of a picture whose style sheet is that of a scheme."""
    return f"claimeven-{scheme}"


def _paint(colours: Palette) -> list[str]:
    hues = [
        f".hue{number} .ours,.hue{number} .theirs,.hue{number} .shared{{stroke:{hue}}}"
        f".hue{number} .ours,.hue{number} .part{{fill:{hue}}}.hue{number} .killed{{stroke:{hue}}}"
        for number, hue in enumerate(colours.hues)
    ]
    return [
        f".page{{fill:{colours.page};stroke:{colours.line}}}text{{fill:{colours.ink}}}.cell{{fill:{colours.cell}}}",
        f".axis,.muted{{fill:{colours.muted}}}.pill,.threat{{stroke:{colours.ink}}}.tag{{fill:{colours.page}}}",
        f".zugzwang,.won,.chosen{{stroke:{colours.hues[1]}}}.level{{fill:{colours.hues[0]}}}.playable{{stroke:{colours.ink}}}",
        f".white-stone{{fill:#ffffff;stroke:{colours.stone_line}}}"
        f".black-stone{{fill:#15181c;stroke:{colours.stone_line}}}.theirs,.shared{{stroke:{colours.muted}}}",
        ".on-white{fill:#15181c}.on-black{fill:#ffffff}",
        *hues,
    ]


def _scoped(scope: str, rules: list[str]) -> str:
    """The rules, each selector of them with the scope before it."""
    scoped = []
    for rule in "".join(rules).split("}")[:-1]:
        selectors, declarations = rule.split("{")
        scoped.append(",".join(scope + selector for selector in selectors.split(",")) + "{" + declarations + "}")
    return "".join(scoped)

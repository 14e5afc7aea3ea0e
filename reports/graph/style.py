"""The colours and fonts of the graph's picture, in a light and a dark version."""

from __future__ import annotations

from claimeven.solver.drawing.colours import DARK, LIGHT


def _rules(page: str, ink: str, muted: str, faint: str, box: str, hues: tuple[str, ...]) -> str:
    coloured = "".join(
        f".hue{number} .box,.line.hue{number}{{stroke:{hue}}}.hue{number} .tag{{fill:{hue}}}"
        for number, hue in enumerate(hues)
    )
    return (
        f".page{{fill:{page}}}text{{fill:{ink}}}.tag-text{{fill:{page}}}"
        f".muted,.heading{{fill:{muted}}}.line{{stroke:{muted}}}"
        f".box{{fill:{box};stroke:{faint}}}"
        f".bar{{fill:{faint}}}"
        f"{coloured}"
    )


STYLE = (
    "text{font:13px system-ui,'Segoe UI','DejaVu Sans',sans-serif}"
    ".title{font-size:20px;font-weight:600}.heading{font-weight:600}"
    ".mono,.tag-text{font:12px 'DejaVu Sans Mono',Consolas,Menlo,monospace;white-space:pre}"
    ".tag-text{text-anchor:middle}.tag-text{font-weight:700}"
    ".chosen-count{font-weight:600}"
    ".line{fill:none}.main{stroke-width:1.8}.extra{stroke-width:.9;opacity:.45}.line.other{stroke-width:.9;opacity:.45}"
    ".chosen .box{stroke-width:1.5}.faint{opacity:.22}.other .box{stroke-dasharray:3 2}"
    + _rules("#fff", "#1f2328", "#59636e", "#c4ccd4", "#f6f8fa", LIGHT.hues)
    + "@media (prefers-color-scheme:dark){"
    + _rules("#0d1117", "#e6edf3", "#9aa4ae", "#4a535d", "#161b22", DARK.hues)
    + "}"
)

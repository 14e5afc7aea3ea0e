"""SVG pictures as PNG files, the same on every machine: the fonts are those that come with matplotlib.

resvg draws them: one small wheel for every system, nothing to install beside it, and style sheets as we write them.
CairoSVG would need the system's cairo, and drawing the same once more with matplotlib or Pillow would be a second
picture that may say something else.
"""

from __future__ import annotations

from pathlib import Path

EXTRA = "claimeven[png]"


class PngError(RuntimeError):
    """A picture that cannot be made here."""


def draw_png(svg: str, width: int | None = None) -> bytes:
    """The picture of an SVG text as the bytes of a PNG file, twice its own size unless a width in pixels is given.

    The text must not leave light or dark open, as there is nobody to ask. Raises PngError if resvg is not installed.

    >>> from claimeven.solver.drawing.picture import draw_position
    >>> from claimeven.solver.position import Position
    >>> draw_png(draw_position(Position.start(), scheme="light"), 100)[1:4]
    b'PNG'
    """
    try:
        import resvg_py
    except ImportError:
        raise PngError(f"PNG pictures need resvg: pip install '{EXTRA}'; SVG pictures need nothing") from None
    import matplotlib

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    try:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                skip_system_fonts=True,
                font_dirs=[str(fonts)],
                font_family="DejaVu Sans",
                sans_serif_family="DejaVu Sans",
                monospace_family="DejaVu Sans Mono",
                zoom=2 if width is None else None,
                width=width,
            )
        )
    except ValueError as error:
        raise PngError(f"the picture cannot be drawn: {error}") from None

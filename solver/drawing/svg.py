"""SVG as a tree of elements: adding to it, and writing it out."""

from __future__ import annotations

from xml.etree import ElementTree as ET

NAMESPACE = "http://www.w3.org/2000/svg"


def add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str | float) -> ET.Element:
    """A new element; `class_` is written `class`, and `font_size` `font-size`.

    >>> write(add(ET.Element("g"), "text", "a & b", class_="axis", x=1.5, font_size=12))
    '<text class="axis" x="1.5" font-size="12">a &amp; b</text>'
    """
    element = ET.SubElement(parent, tag)
    element.text = text
    for name, value in attributes.items():
        element.set(name.rstrip("_").replace("_", "-"), value if isinstance(value, str) else f"{value:g}")
    return element


def shift(parent: ET.Element, x: float, y: float) -> ET.Element:
    """A group that lies further right and further down than its parent."""
    return ET.SubElement(parent, "g", {"transform": f"translate({x:.1f} {y:.1f})"})


def write(element: ET.Element) -> str:
    """The element as text."""
    return ET.tostring(element, encoding="unicode")

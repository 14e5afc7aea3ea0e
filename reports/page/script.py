"""The script of the report: modules that import each other, joined into one, as a page that stands alone loads none."""

from __future__ import annotations

import re
from importlib import resources

MODULES = (
    ("claimeven.reports.web", "static/elements.js"),
    ("claimeven.reports.web", "static/game.js"),
    ("claimeven.reports.page", "templates/lookup.js"),
    ("claimeven.reports.page", "templates/picture.js"),
    ("claimeven.reports.page", "templates/proof.js"),
    ("claimeven.reports.page", "templates/opening_table.js"),
)
"""Each after those that it imports; the first two are the explorer's."""

_IMPORT = re.compile(r"^import \{[^}]*\} from \"\./\w+\.js\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |let |function |class |async )", re.MULTILINE)


def make_script() -> str:
    """The script of the opening table, which does nothing on a page that has none."""
    texts = [(resources.files(package) / path).read_text(encoding="utf-8") for package, path in MODULES]
    body = "\n".join(join_module(text) for text in texts)
    return f'"use strict";\n(() => {{\nif (!document.getElementById("walker")) return;\n{body}}})();\n'


def join_module(text: str) -> str:
    """A module as a part of a script whose other parts are the modules it imports.

    >>> join_module('import { one } from "./one.js";\\nexport const two = one + 1;\\n')
    'const two = one + 1;\\n'
    """
    return _EXPORT.sub("", _IMPORT.sub("", text))

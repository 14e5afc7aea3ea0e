"""The scripts of pages that stand alone: modules that import each other, joined into one, as such a page loads none."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    return join_modules(MODULES, 'if (!document.getElementById("walker")) return;\n')


def join_modules(modules: Sequence[tuple[str, str]], first: str = "") -> str:
    """Modules as one script, after `first`; each is a package and a path in it, and follows those that it imports."""
    texts = [(resources.files(package) / path).read_text(encoding="utf-8") for package, path in modules]
    body = "\n".join(join_module(text) for text in texts)
    return f'"use strict";\n(() => {{\n{first}{body}}})();\n'


def join_module(text: str) -> str:
    """A module as a part of a script whose other parts are the modules it imports.

    >>> join_module('import { one } from "./one.js";\\nexport const two = one + 1;\\n')
    'const two = one + 1;\\n'
    """
    return _EXPORT.sub("", _IMPORT.sub("", text))

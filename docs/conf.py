"""Sphinx: `sphinx-build -W -b html docs docs/_build`."""

import re
from typing import Any

project = "tangentish"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1100px", "fixed_sidebar": True}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
default_role = "code"
autodoc_typehints = "none"
# Blocks that show output are not always Python, although they begin like it.
suppress_warnings = ["misc.highlighting_failure"]

html_static_path = ["_static"]
html_css_files = ["output.css"]

# The fences of blocks that tests/test_docs.py fills in, such as `python output` and `python statements f(1.0)`.
SHOWN = re.compile(r"^```(\w+) (?!sketch)\w+[^\n]*$", re.MULTILINE)
PARAMETER = re.compile(r"\w+: ")


def marked(_app: Any, _page: str, source: list[str]) -> None:
    """What a block gives looks different from the block."""
    source[0] = SHOWN.sub(r"```{code-block} \1\n:class: output\n", source[0])


def fields(
    _app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """A paragraph of lines like `wrt: an index, ...` is a list of fields, an indented one is code."""
    shown: list[str] = []
    for block in "\n".join(lines).split("\n\n"):
        if block.startswith("    "):
            shown += ["::", ""]
        if PARAMETER.match(block):
            block = block.replace("\n", "\n    ")
            block = re.sub(r"^ *(\w+): ", r":param \1: ", block, flags=re.MULTILINE)
        shown += [*block.split("\n"), ""]
    lines[:] = shown


def setup(app: Any) -> None:
    """Pages and docstrings are written to be read as they are; here they become Sphinx's."""
    app.connect("source-read", marked)
    app.connect("autodoc-process-docstring", fields)

"""Sphinx: `sphinx-build docs docs/_build`."""

project = "tangentish"
extensions = ["myst_parser"]
html_theme = "furo"
exclude_patterns = ["_build"]
suppress_warnings = ["myst.header", "toc.not_included", "misc.highlighting_failure"]

"""Gradients as modules of their own: what `python -m tangentish export` writes.

`module` writes the text, of `finding` (which names it needs), `definitions` (what stands for them) and `public` (the
functions for users, with `guards`); `files` and `trial` put it in place and try it.
"""

from tangentish.export.files import is_current, replace_file
from tangentish.export.finding import Unexportable
from tangentish.export.header import header
from tangentish.export.module import Request, exported
from tangentish.export.trial import misfit

__all__ = ["Request", "Unexportable", "exported", "header", "is_current", "misfit", "replace_file"]

"""What `file.py:function`, `file.py:Class.method` and `file.py:OBJECT.method` name."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from tangentish.api import Differentiable, target
from tangentish.errors import NotDifferentiable


class Unusable(Exception):
    """Input that can't be worked on; its text is all that the user is shown."""


@dataclass(frozen=True)
class NamedFunction:
    """A function, and what its place says of it.

    decorated: its decorator, which says with respect to what.
    skipped: how many leading parameters (self) an index does not count.
    given: the object that it is a method of, by the name of the parameter.
    owner: the class that it is a method of.
    """

    function: FunctionType
    name: str
    decorated: Differentiable[..., Any] | None = None
    skipped: int = 0
    given: tuple[tuple[str, object], ...] = ()
    owner: type | None = None


def named_function(place: str) -> NamedFunction:
    """The function at a place; Unusable where there is none, TypeError for what is no function."""
    file, colon, path = place.rpartition(":")
    if not colon or not file or not path:
        raise Unusable(f"{place!r} names no function: write file.py:function")
    module = _import(Path(file))
    *owners, name = path.split(".")
    owner: Any = module
    for step in owners:
        owner = _member(owner, step, file)
    found = _member(owner, name, file)
    if not owners:
        return _named(found, target(found)[0], name)
    return _method(owner, name, found)


def _method(owner: Any, name: str, found: Any) -> NamedFunction:
    """A method of a class, or of an object, which is the example of `self` then."""
    kind = owner if isinstance(owner, type) else type(owner)
    plain = inspect.getattr_static(owner, name)
    function, bound = target(found)
    if isinstance(plain, staticmethod) or isinstance(owner, ModuleType) or name in _own(owner):
        return _named(found, function, name)
    given = tuple(zip(function.__code__.co_varnames, bound, strict=False))
    return _named(found, function, name, 1, given, kind)


def _own(owner: Any) -> dict[str, Any]:
    """What an object holds itself, which is not bound to it."""
    return {} if isinstance(owner, type) else getattr(owner, "__dict__", {})


def _named(found: Any, function: FunctionType, name: str, *more: Any) -> NamedFunction:
    decorated = getattr(found, "__func__", found)
    said = decorated if isinstance(decorated, Differentiable) else None
    return NamedFunction(function, name, said, *more)


def _member(owner: Any, name: str, file: str) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError:
        where = file if isinstance(owner, ModuleType) else f"{_title(owner)} in {file}"
        message = f"{where} has no function {name!r}{_suggestion(owner)}"
        raise Unusable(message) from None


def _title(owner: Any) -> str:
    return str(owner.__qualname__ if isinstance(owner, type) else type(owner).__qualname__)


def _suggestion(owner: Any) -> str:
    home = owner if isinstance(owner, (ModuleType, type)) else type(owner)
    module = home.__name__ if isinstance(home, ModuleType) else home.__module__
    names = [
        name
        for name, value in vars(home).items()
        if getattr(value, "__module__", None) == module
        and callable(value)
        and not name.startswith("__")
    ]
    return f"; it has {', '.join(names)}" if names else ""


# ------------------------------------------------------------------------------- the module


def _import(path: Path) -> ModuleType:
    """Run a file as a module of its own, with its folder first on the path, as Python runs a
    script.
    """
    if not path.is_file():
        raise Unusable(f"no such file: {path}")
    if (path.resolve().parent / "__init__.py").is_file():
        return _import_member(path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise Unusable(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    sys.modules.setdefault(path.stem, module)
    with _importing(path):
        spec.loader.exec_module(module)
    return module


@contextmanager
def _importing(path: Path) -> Iterator[None]:
    try:
        yield
    except NotDifferentiable:
        raise
    except SyntaxError as error:
        raise Unusable(located(error)) from error
    except (Exception, SystemExit) as error:
        raise Unusable(f"{path} can't be imported: {type(error).__name__}: {error}") from error


def _import_member(path: Path) -> ModuleType:
    """The module of a package, imported by its full name, so that it finds its neighbours."""
    root, names = path.resolve().parent, [path.stem]
    while (root / "__init__.py").is_file():
        root, names = root.parent, [root.name, *names]
    sys.path.insert(0, str(root))
    with _importing(path):
        module = importlib.import_module(".".join(names))
    found = Path(str(module.__file__))
    if found.resolve() != path.resolve():
        raise Unusable(f"{path} can't be imported: another {module.__name__} was, from {found}")
    return module


def located(error: SyntaxError) -> str:
    """The error as Python prints it: file, line, the line's text and a caret."""
    return "".join(traceback.format_exception_only(error)).strip()

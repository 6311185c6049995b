"""From text to function, in the user's namespace, with lines that tracebacks and pdb can show."""

from __future__ import annotations

import ast
import hashlib
import linecache
import re
import threading
import types
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tangentish.language.source import FUTURE_FLAGS, GENERATED
from tangentish.text.names import unlike
from tangentish.text.wrapping import wrap


def load(
    tree_text: str,
    name: str,
    home: types.FunctionType,
    bindings: Mapping[str, types.CellType],
    defaults: tuple[object, ...] | None = None,
    kwdefaults: dict[str, object] | None = None,
) -> types.FunctionType:
    """The function that the text of one `def` says, at home where `home` was written.

    Free names are resolved through `bindings`, then through the closure cells of `home`, then in
    its globals: all of them live, none of them written to; its own name is itself. `defaults` and
    `kwdefaults` take the place of those in the text, which must be literals.
    """
    itself = types.CellType()
    cells = {name: itself, **_own_cells(home), **bindings}
    filename = file_name(tree_text, name)
    if defaults is None or kwdefaults is None:
        arguments = _only_def(tree_text, name).args
        if defaults is None:
            defaults = tuple(map(ast.literal_eval, arguments.defaults))
        if kwdefaults is None:
            kwdefaults = _keyword_defaults(arguments)
    code = _compile(tree_text, name, tuple(cells), filename, home)
    closure = tuple(cells[free] for free in code.co_freevars)
    function = types.FunctionType(code, home.__globals__, name, defaults or None, closure)
    itself.cell_contents = function
    function.__kwdefaults__ = dict(kwdefaults) or None
    function.__module__ = home.__module__
    show(filename, tree_text, code)
    return function


def _only_def(text: str, name: str) -> ast.FunctionDef:
    match ast.parse(text).body:
        case [ast.FunctionDef(decorator_list=[]) as definition] if definition.name == name:
            return definition
    raise _no_def(name)


def _no_def(name: str) -> ValueError:
    return ValueError(f"expected the text of one plain def of {name}")


def _own_cells(home: types.FunctionType) -> dict[str, types.CellType]:
    return dict(zip(home.__code__.co_freevars, home.__closure__ or (), strict=True))


def _keyword_defaults(arguments: ast.arguments) -> dict[str, object]:
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {one.arg: ast.literal_eval(default) for one, default in pairs if default is not None}


_FACTORY = "factory"


def _compile(
    text: str, name: str, names: tuple[str, ...], filename: str, home: types.FunctionType
) -> types.CodeType:
    """The code of the definition, compiled as if `names` were variables of a function around it.

    A column of indent puts the `def` into that function. Its lines, which have more, stay as they are, so that a
    traceback finds their columns. To put the tree of the text into a function takes Python more than twice as long.
    """
    if not text.startswith(f"def {name}("):
        raise _no_def(name)
    flags = home.__code__.co_flags & FUTURE_FLAGS
    around = f"def {_FACTORY}({', '.join(filter(str.isidentifier, names))}):\n {text}"
    whole = compile(around, filename, "exec", flags, dont_inherit=True)
    if whole.co_names != (_FACTORY,):
        raise _no_def(name)
    # Defaults and annotations may hold code of their own (a lambda), hence the name.
    code = next(each for each in _nested(_nested(whole)) if each.co_name == name)
    place = home.__qualname__.rpartition(".")[0]
    return _moved(code, code.co_qualname, f"{place}.{code.co_name}" if place else code.co_name)


def _nested(codes: types.CodeType | Iterator[types.CodeType]) -> Iterator[types.CodeType]:
    for code in [codes] if isinstance(codes, types.CodeType) else codes:
        yield from (each for each in code.co_consts if isinstance(each, types.CodeType))


def _moved(code: types.CodeType, old: str, new: str) -> types.CodeType:
    """The code with the place of its home instead of the factory's in its qualified names, one line further up."""
    constants = tuple(
        _moved(each, old, new) if isinstance(each, types.CodeType) else each
        for each in code.co_consts
    )
    return code.replace(
        co_qualname=new + code.co_qualname.removeprefix(old),
        co_firstlineno=code.co_firstlineno - 1,
        co_consts=constants,
    )


def note_texts(name: str, function: object, found: dict[str, tuple[object, str]]) -> None:
    """The text of a generated function that is called by this name, and of those that it calls; nothing of others.

    found: name -> function and text; another function of a name that is taken gets a new one there.
    """
    if name in found or not isinstance(function, types.FunctionType):
        return
    code = function.__code__
    if not code.co_filename.startswith(GENERATED):
        return
    text = "".join(linecache.getlines(code.co_filename))
    text = text.replace(f"def {code.co_name}(", f"def {name}(", 1)
    found[name] = function, text
    for inner, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        called = content(cell)
        if called is function or not isinstance(called, types.FunctionType):
            continue
        taken = {n for n, (other, _) in found.items() if other is not called}
        shown = unlike(inner, taken)
        note_texts(shown, called, found)
        if shown != inner and shown in found:
            head, line, body = text.partition("\n")  # the inner one may be called like this one
            text = head + line + re.sub(rf"\b{inner}\b", shown, body)
    found[name] = function, wrap(text)  # a new name may be longer


def content(cell: types.CellType) -> object:
    """What a variable holds; None of one that is not bound yet."""
    try:
        return cell.cell_contents
    except ValueError:  # it is bound later
        return None


def with_cells(function: types.FunctionType, cells: Sequence[types.CellType]) -> types.FunctionType:
    """The function with other variables in the place of those that it captures."""
    defaults, home = function.__defaults__, function.__globals__
    new = types.FunctionType(function.__code__, home, function.__name__, defaults, tuple(cells))
    new.__kwdefaults__, new.__module__ = function.__kwdefaults__, function.__module__
    return new


# ---- the lines that tracebacks show

_users: Counter[str] = Counter()  # how many code objects live of each file name
# Reentrant: a collection inside the lock may run _release in the same thread.
_lock = threading.RLock()


def file_name(text: str, name: str) -> str:
    digest = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
    return f"{GENERATED}{name} {digest}>"


def show(filename: str, text: str, code: types.CodeType) -> None:
    """Let linecache know the text for as long as any code compiled from it lives."""
    # Code rather than functions: a pullback outlives the function that made it, and a traceback
    # may outlive both.
    for each in _all_codes(code):
        with _lock:
            _users[filename] += 1
        weakref.finalize(each, _release, filename).atexit = False
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)


def _all_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in _nested(code):
        yield from _all_codes(each)


def _release(filename: str) -> None:
    with _lock:
        _users[filename] -= 1
        if not _users[filename]:
            del _users[filename]
            linecache.cache.pop(filename, None)

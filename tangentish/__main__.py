"""The command line: `show` prints the source of a gradient, `check` compares it with numeric
derivatives, `export` writes it as a module of its own.

Exit status: 0; 1 where `check` finds a mismatch, or `export --check` a file that is out of date; 2 for
input that can't be worked on.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from tangentish import __version__
from tangentish.api import Differentiable, differentiate
from tangentish.asking.wrt import Wrt
from tangentish.checking.check import check_grad
from tangentish.checking.named_function import NamedFunction, Unusable, located, named_function
from tangentish.errors import NotDifferentiable
from tangentish.export import Request, exported, header, is_current, misfit, replace_file
from tangentish.kinds.standins import example_of_class, missing_kinds, parse_kind, stand_ins


@dataclass(frozen=True)
class _Wanted:
    """Options of `@differentiate`; skipped: parameters (self) that an index does not count."""

    wrt: Wrt
    has_aux: bool
    training: bool
    skipped: int

    def __call__(self, function: FunctionType) -> Differentiable[..., Any]:
        decorate = differentiate(wrt=self.wrt, has_aux=self.has_aux, training=self.training)
        made: Differentiable[..., Any] = decorate(function)
        return made.as_method() if self.skipped else made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except Unusable as error:
        message = str(error)
    except NotDifferentiable as error:
        message = located(error)
    except (TypeError, ValueError) as error:
        failed = f"the function failed: {type(error).__name__}: {error}"
        message = str(error) if _is_ours(error) else failed
    except MemoryError as error:
        message = f"not enough memory: {error}"
    print(f"tangentish: {message}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tangentish",
        description="Gradients of plain NumPy code, as plain NumPy code.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    show = commands.add_parser("show", help="print the source of a function's gradient")
    show.set_defaults(run=_show)
    show.add_argument(
        "--mode",
        choices=("grad", "value_and_grad", "vjp", "jvp", "hvp"),
        default="grad",
        help="which derivative: the gradient, also with the value; the pullback; the tangent; the "
        "Hessian times a vector",
    )
    check = commands.add_parser("check", help="compare a gradient with numeric derivatives")
    check.set_defaults(run=_check)
    check.add_argument("--seed", type=int, default=0, help="of the arguments and the head gradient")
    export = commands.add_parser(
        "export", help="write the gradient as a module that needs only numpy"
    )
    export.set_defaults(run=_export)
    export.add_argument("-o", "--output", required=True, metavar="file.py", help="the module")
    export.add_argument(
        "--check", action="store_true", help="only say whether the file is what would be written"
    )
    for command in (show, check, export):
        command.add_argument("place", metavar="file.py:function")
        command.add_argument(
            "--training",
            action=argparse.BooleanOptionalAction,
            help="what is_training() says; else the decorator tells, else it is True",
        )
        command.add_argument("--wrt", help="parameters by name or index, several with commas")
        command.add_argument(
            "--like",
            metavar="w=float64[3,4]",
            action="append",
            default=[],
            help="the kind of an argument, or a number; else annotations and defaults tell",
        )
    return parser


def _show(options: argparse.Namespace) -> int:
    found = named_function(options.place)
    function, wanted = found.function, _wanted(options, found)
    values = _arguments(found, options.like, None)
    args, kwargs = _spread(function, values)
    print(_source(wanted(function), options.mode, args, kwargs).rstrip())
    return 0


def _source(
    made: Differentiable[..., Any], mode: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> str:
    if mode == "hvp":
        if not args:
            raise Unusable("hvp needs a parameter that may be given by position")
        args = (args[0], None, *args[1:])
    return str(getattr(made, mode).source(*args, **kwargs))


def _check(options: argparse.Namespace) -> int:
    found = named_function(options.place)
    values = _arguments(found, options.like, np.random.default_rng(options.seed))
    wrt = None if options.wrt is None else _wrt(options.wrt)
    args, kwargs = _spread(found.function, values)
    checked: Any = _wanted(options, found)(found.function)
    if found.skipped:
        checked, args = checked.__get__(args[0]), args[1:]
    if {"wrt", "seed"} & kwargs.keys():
        raise Unusable("check can't pass keyword-only parameters that are called wrt or seed")
    try:
        print(check_grad(checked, *args, wrt=wrt, seed=options.seed, **kwargs))
    except AssertionError as error:
        if not _is_ours(error):
            raise Unusable(f"the function failed: AssertionError: {error}") from error
        print(error, file=sys.stderr)
        return 1
    except (TypeError, ValueError, NotDifferentiable):
        raise
    except Exception as error:
        raise Unusable(f"the function failed: {type(error).__name__}: {error}") from error
    return 0


def _export(options: argparse.Namespace) -> int:
    output = Path(options.output)
    found = named_function(options.place)
    function, wanted = found.function, _wanted(options, found)
    source = Path(function.__code__.co_filename)
    if output.resolve() == source.resolve():
        raise Unusable(f"{output} holds {function.__qualname__}() itself: give another -o")
    values = tuple(_arguments(found, options.like, None).values())
    given = [] if options.wrt is None else ["--wrt " + shlex.quote(options.wrt)]
    given += ["--like " + shlex.quote(like) for like in options.like]
    if options.training is not None:
        given.append("--training" if options.training else "--no-training")
    first = header(__version__, function, options.place, output, given)
    text = exported(
        Request(
            function, values, wanted.wrt, first, wanted.has_aux, wanted.training, found.name,
            found.skipped, options.wrt is not None,
        )
    )  # fmt: skip
    _refuse_misfits(found, options.like)
    if options.check:
        return _compare(output, text)
    try:
        if not is_current(output, text):
            replace_file(output, text)
    except OSError as error:
        raise Unusable(f"{output} can't be written: {error.strerror or error}") from error
    return 0


def _refuse_misfits(found: NamedFunction, likes: Sequence[str]) -> None:
    if any("..." in like for like in likes):
        return
    function = found.function
    drawn = (None, np.random.default_rng(0))
    calls = [_spread(function, _arguments(found, likes, rng)) for rng in drawn]
    error = misfit(function, calls)
    if error is not None:
        raise Unusable(
            f"arguments of these kinds don't fit {function.__qualname__}(): "
            f"{type(error).__name__}: {error}"
        )


def _compare(output: Path, text: str) -> int:
    try:
        current = is_current(output, text)
    except OSError as error:
        raise Unusable(f"{output} can't be read: {error.strerror or error}") from error
    if not current:
        state = "is out of date" if output.exists() else "is not there"
        print(f"tangentish: {output} {state}: export it again", file=sys.stderr)
    return 0 if current else 1


# ------------------------------------------------------------------------------- its arguments


def _arguments(
    found: NamedFunction, likes: Sequence[str], rng: np.random.Generator | None
) -> dict[str, Any]:
    """A value for every parameter: from `--like`, else from the place, default or annotation."""
    function = found.function
    values = stand_ins(function, rng) | dict(found.given)
    given: set[str] = set()
    for like in likes:
        name, equals, kind = like.partition("=")
        if not equals:
            raise Unusable(f"--like {like!r}: write name=kind, as in w=float64[3,4]")
        if name in given:
            raise Unusable(f"--like {like!r}: the kind of {name!r} is given twice")
        given.add(name)
        if name not in values:
            raise Unusable(
                f"--like {like!r}: {function.__qualname__}() has no parameter {name!r}; "
                f"its parameters are {', '.join(values)}"
            )
        try:
            values[name] = parse_kind(kind, rng, function.__globals__)
        except ValueError as error:
            raise Unusable(f"--like {like!r}: {error}") from error
    missing = missing_kinds(values)
    if missing:
        wanted = " ".join(f"--like '{name}={_example(found, name)}'" for name in missing)
        raise Unusable(
            f"the kinds of these arguments of {function.__qualname__}() are missing: "
            f"{', '.join(missing)}; "
            f"give them, as in {wanted}"
        )
    return values


def _example(found: NamedFunction, name: str) -> str:
    """What may be said of a parameter of which nothing is known."""
    if not (found.owner and found.skipped and name == found.function.__code__.co_varnames[0]):
        return "float64[3]"
    return example_of_class(found.owner)


def _spread(
    function: FunctionType, values: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The values as positional and keyword-only arguments; starred parameters get nothing."""
    code = function.__code__
    split = code.co_argcount
    only = code.co_varnames[split : split + code.co_kwonlyargcount]
    return (
        tuple(values[name] for name in code.co_varnames[:split]),
        {name: values[name] for name in only},
    )


def _wanted(options: argparse.Namespace, found: NamedFunction) -> _Wanted:
    """What the options say of the derivative, else the decorator."""
    said: Any = found.decorated or Differentiable(lambda: None)
    return _Wanted(
        wrt=said.wrt if options.wrt is None else _wrt(options.wrt),
        has_aux=said.has_aux,
        training=said.training if options.training is None else options.training,
        skipped=found.skipped,
    )


def _wrt(text: str) -> Wrt:
    items = tuple(
        int(item) if item.strip().lstrip("-").isdigit() else item.strip()
        for item in text.split(",")
    )
    return items[0] if len(items) == 1 else items


# -------------------------------------------------------------------------------------- errors


def _is_ours(error: BaseException) -> bool:
    """Whether the error was raised by this package, not by the user's code or code generated from
    it.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else trace.tb_frame.f_code.co_filename
    return Path(where).is_relative_to(Path(__file__).parent) or where == "<string>"


if __name__ == "__main__":
    sys.exit(main())

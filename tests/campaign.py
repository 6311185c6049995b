"""Runs many random programs through the library and reports what goes wrong, made small.

python -m tests.campaign --seeds 0:20000 --jobs 2 --stop-after 20 --minutes 10
python -m tests.campaign --seed 123 --show
python -m tests.campaign --family classes --second-order --seeds 0:2000
"""

from __future__ import annotations

import argparse
import ast
import collections
import multiprocessing
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests import (
    random_aliases,
    random_classes,
    random_held,
    random_nested_records,
    random_programs,
    random_records,
)
from tests.random_programs import Outcome, RandomProgram, check
from tests.random_second_order import check_second_order

CHUNK = 25  # seeds per task
FAMILIES: dict[str, Callable[[int], RandomProgram]] = {
    "arrays": random_programs.generate,
    "records": random_records.generate,
    "nested": random_nested_records.generate,
    "classes": random_classes.generate,
    "aliases": random_aliases.generate,
    "held": random_held.generate,
}
Result = tuple[int, Outcome]


# ------------------------------------------------------------------------------------------- shrink


def shrink(
    program: RandomProgram, predicate: Callable[[RandomProgram], bool], seconds: float = 30.0
) -> RandomProgram:
    """A smaller program for which the predicate holds: statements, operands taken away in turn."""
    deadline = time.monotonic() + seconds
    best = replace(program, text=ast.unparse(ast.parse(program.text)) + "\n")
    if not predicate(best):
        return program
    progress = True
    while progress:
        progress = False
        number = 0
        while time.monotonic() < deadline:
            tree = ast.parse(best.text)
            edits = list(_edits(tree))
            if number >= len(edits):
                break
            edits[number]()
            text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            candidate = replace(best, text=text)
            if len(text) < len(best.text) and _compiles(text) and predicate(candidate):
                best, progress = candidate, True  # the next edit now has this number
            else:
                number += 1
    return best


def _compiles(text: str) -> bool:
    try:
        compile(text, "<shrink>", "exec")
    except SyntaxError:
        return False
    return True


def _edits(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Every way to make the tree smaller by one step; each changes the tree in place."""
    nodes = list(ast.walk(tree))
    for node in nodes:
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                for place in range(len(block) - 1, -1, -1):
                    yield _replacement(node, block, place, [])
    for node in nodes:
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if not isinstance(block, list):
                continue
            for place, statement in enumerate(block):
                if isinstance(statement, ast.If | ast.For | ast.While):
                    yield _replacement(node, block, place, statement.body)
                if isinstance(statement, ast.If) and statement.orelse:
                    yield _replacement(node, block, place, statement.orelse)
                if isinstance(statement, ast.For):
                    start = ast.Assign([statement.target], ast.Constant(1))
                    yield _replacement(node, block, place, [start, *statement.body])
    for node in nodes:
        for name, value in ast.iter_fields(node):
            for place, child in enumerate(value if isinstance(value, list) else [value]):
                for smaller in _operands(child):
                    yield _operand(node, name, place if isinstance(value, list) else None, smaller)


def _operands(node: object) -> list[ast.expr]:
    """The expressions that may stand for this one."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Call):
        return node.args[:2]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp):
        return node.values
    return []


def _replacement(
    node: ast.AST, block: list[ast.stmt], place: int, statements: list[ast.stmt]
) -> Callable[[], None]:
    def edit() -> None:
        block[place : place + 1] = statements
        if not block and block is getattr(node, "body", None) and not isinstance(node, ast.Module):
            block.append(ast.Pass())

    return edit


def _operand(node: ast.AST, name: str, place: int | None, smaller: ast.expr) -> Callable[[], None]:
    def edit() -> None:
        if place is None:
            setattr(node, name, smaller)
        else:
            getattr(node, name)[place] = smaller

    return edit


def signature(outcome: Outcome) -> str:
    """The outcome without numbers and places: equal for the same kind of failure."""
    lines = outcome.message.strip().splitlines() or [""]
    line = lines[-1] if outcome.kind == "crash" else lines[0]
    if outcome.kind == "crash":
        line = line.split(":")[0]
    if outcome.kind == "wrong":
        line = line.split(":")[-1] if line.startswith(("pullback", "grad")) else line.split(":")[0]
    line = re.sub(r"0x[0-9a-f]+|\d+", "N", line)
    return f"{outcome.kind}: {line.strip()}"


@dataclass(frozen=True)
class Campaign:
    """Which programs are looked at, and whether second derivatives are, too."""

    family: str = "arrays"
    second_order: bool = False

    def generate(self, seed: int) -> RandomProgram:
        return FAMILIES[self.family](seed)

    def check(self, program: RandomProgram, limit: float = 20.0) -> Outcome:
        first = check(program, limit)
        if not self.second_order or first.kind != "ok":
            return first
        second = check_second_order(program, limit)
        return second if second.kind in ("wrong", "crash") else first

    def outcome_of(self, seed: int) -> Outcome:
        return self.check(self.generate(seed))

    def shrunken(self, program: RandomProgram, outcome: Outcome, seconds: float) -> RandomProgram:
        """The program made small, with an outcome of the same signature."""
        wanted = signature(outcome)
        return shrink(program, lambda p: signature(self.check(p, limit=2.0)) == wanted, seconds)


# ----------------------------------------------------------------------------------------- campaign


def _chunk(task: tuple[Campaign, list[int]]) -> list[Result]:
    campaign, seeds = task
    return [(seed, campaign.outcome_of(seed)) for seed in seeds]


def results(campaign: Campaign, seeds: range, jobs: int, deadline: float) -> Iterator[Result]:
    """Seeds and outcomes, as they become ready, until the deadline."""
    chunks = [list(seeds[i : i + CHUNK]) for i in range(0, len(seeds), CHUNK)]
    if jobs <= 1:
        for chunk in chunks:
            for seed in chunk:
                if time.monotonic() > deadline:
                    return
                yield seed, campaign.outcome_of(seed)
        return
    with multiprocessing.Pool(jobs, maxtasksperchild=40) as pool:
        ready = pool.imap_unordered(_chunk, [(campaign, chunk) for chunk in chunks])
        while True:
            try:
                # a worker that was killed never answers: give up after ten minutes of silence
                yield from ready.next(timeout=max(0.0, min(deadline - time.monotonic(), 600.0)))
            except StopIteration:
                return
            except multiprocessing.TimeoutError:
                if time.monotonic() < deadline:
                    print("no answer from the workers for ten minutes: giving up")
                return


def report(campaign: Campaign, seed: int, outcome: Outcome, show: bool, seconds: float) -> None:
    program = campaign.generate(seed)
    print(f"\n===== seed {seed}: {outcome.kind}")
    if show:
        print(program.text)
    print(outcome.message.rstrip() or "-")
    if outcome.kind in ("wrong", "crash") or (show and outcome.kind == "refused"):
        small = campaign.shrunken(program, outcome, seconds)
        print(f"\n----- made small; arguments {small.make_args()!r}\n{small.text}", flush=True)
        again = campaign.check(small, limit=2.0)
        print(f"{again.kind}: {again.message.rstrip()}", flush=True)


def summary(outcomes: list[Result], seconds: float) -> str:
    counts = collections.Counter(outcome.kind for _, outcome in outcomes)
    total = max(1, len(outcomes))
    lines = [
        f"\n{len(outcomes)} programs in {seconds:.0f} s ({1000 * seconds / total:.1f} ms each)"
    ]
    for kind in ("ok", "refused", "wrong", "crash", "skip"):
        lines.append(f"  {kind:8}{counts[kind]:8}{100 * counts[kind] / total:8.2f} %")
    for kind in ("refused", "wrong", "crash", "skip"):
        reasons: dict[str, list[int]] = {}
        for seed, outcome in outcomes:
            if outcome.kind == kind:
                reasons.setdefault(signature(outcome), []).append(seed)
        for reason, seeds in sorted(reasons.items(), key=lambda item: -len(item[1]))[:25]:
            lines.append(f"{len(seeds):6} {reason}   (seeds {', '.join(map(str, seeds[:4]))})")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("--seeds", default="0:1000", help="first:last, the last one excluded")
    parser.add_argument("--seed", type=int, help="one program only")
    parser.add_argument("--family", default="arrays", choices=list(FAMILIES))
    parser.add_argument("--second-order", action="store_true", help="second derivatives, too")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--stop-after", type=int, default=20, help="failures")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument(
        "--shrink-seconds", type=float, default=20.0, help="for each failure; 0: none"
    )
    parser.add_argument("--show", action="store_true", help="print whole programs too")
    options = parser.parse_args(argv)
    campaign = Campaign(options.family, options.second_order)
    start = time.monotonic()
    if options.seed is not None:
        outcome = campaign.outcome_of(options.seed)
        report(campaign, options.seed, outcome, options.show, options.shrink_seconds)
        return int(outcome.kind in ("wrong", "crash"))
    first, _, last = options.seeds.partition(":")
    seeds = range(int(first), int(last)) if last else range(int(first))
    outcomes: list[Result] = []
    failures: list[Result] = []
    for result in results(campaign, seeds, options.jobs, start + 60 * options.minutes):
        outcomes.append(result)
        if result[1].kind in ("wrong", "crash"):
            failures.append(result)
            print(f"seed {result[0]}: {signature(result[1])}", flush=True)
            if len(failures) >= options.stop_after:
                break
    seconds = time.monotonic() - start
    reported: collections.Counter[str] = collections.Counter()
    for seed, outcome in sorted(failures, key=lambda item: item[0]):
        reported[signature(outcome)] += 1
        if reported[signature(outcome)] <= 5:  # more of the same are only counted
            report(campaign, seed, outcome, options.show, options.shrink_seconds)
    print(summary(outcomes, seconds))
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())

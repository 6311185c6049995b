"""Values that go another way to their name: through a display, a function, an object, an array that is stored to, ...

`y = [e][0]` for `y = e`: each is an expression with `VALUE` where the value was, and `BEFORE` is what they call.
"""

from __future__ import annotations

__all__ = ["BEFORE", "VALUES"]

VALUES = {
    # displays
    "listed": "[VALUE][0]",
    "paired": "(0, VALUE)[1]",
    "starred_list": "[*[0.5, VALUE]][1]",
    "keyed": "{'v': VALUE}['v']",
    "asked_key": "{'v': VALUE}.get('v')",
    "popped": "[0, VALUE].pop()",
    "popped_key": "dict(v=VALUE).pop('v')",
    "twice_listed": "[[VALUE], []][0][0]",
    "sliced_list": "[0, VALUE, 0][1:][0]",
    "turned_list": "[VALUE, 0][::-1][1]",
    "repeated": "([VALUE] * 2)[1]",
    "added_lists": "([0.5] + [VALUE])[-1]",
    # expressions
    "chosen": "VALUE if FLAGS[0] else None",
    "or_else": "(FLAGS[0] and [VALUE] or [0.0])[0]",
    "named_inside": "(made_here := VALUE)",
    "comprehended": "[VALUE for once in (0,)][0]",
    "comprehended_item": "[once for once in [VALUE]][0]",
    "keyed_comprehension": "{once: VALUE for once in 'v'}['v']",
    "first_generated": "next(once for once in (VALUE,))",
    "iterated": "next(iter([VALUE]))",
    "mapped": "list(map(handed, [VALUE]))[0]",
    "zipped": "list(zip([VALUE], [0]))[0][0]",
    "enumerated": "[v for k, v in enumerate([VALUE])][-1]",
    "reduced": "functools.reduce(lambda p, q: q, [0.0, VALUE])",
    "negated": "-(-VALUE)",
    # functions
    "handed_on": "handed(VALUE)",
    "by_keyword": "handed(p=VALUE)",
    "by_star": "handed(*[VALUE])",
    "by_stars": "handed(**{'p': VALUE})",
    "of_many": "the_first(VALUE, 0, 1)",
    "of_keywords": "kept_keywords(p=VALUE)['p']",
    "applied": "applied(handed, VALUE)",
    "forwarded": "forwarded(VALUE)",
    "decorated": "decorated(VALUE)",
    "partial": "functools.partial(second_of, 0)(VALUE)",
    "by_default": "(lambda p=VALUE: p)()",
    "closed_over": "closed_over(VALUE)()",
    "chain_of_closures": "closed_over(closed_over(VALUE))()()",
    "recursive": "after(2, VALUE)",
    "unpacked": "with_rest(VALUE)[0]",
    "generated": "next(generated(VALUE))",
    "generated_list": "[*generated(VALUE)][0]",
    "early": "early(VALUE)",
    "looped": "looped(VALUE)",
    "in_finally": "in_finally(VALUE)",
    "in_while": "in_while(VALUE)",
    "stacked_list": "pushed_and_popped(VALUE)",
    "nonlocal": "set_inside(VALUE)",
    # objects
    "boxed": "Box(VALUE).value",
    "replaced_field": "dataclasses.replace(Box(0.0), value=VALUE).value",
    "frozen": "Frozen(VALUE).value",
    "named_tuple": "Both(VALUE, 0).first",
    "replaced_tuple": "Both(0.0, 0)._replace(first=VALUE).first",
    "property": "Owner(VALUE).value",
    "setter": "owned(VALUE)",
    "by_method": "Owner(VALUE).given()",
    "static": "Owner.handed(VALUE)",
    "by_class": "Owner.made(VALUE).held",
    "called_object": "Called(VALUE)()",
    "called_with": "CALLED(VALUE)",
    "fluent": "Owner(0.0).put(VALUE).held",
    "by_name": "getattr(types.SimpleNamespace(v=VALUE), 'v')",
    "inherited": "Heir(VALUE).given()",
    "indexed_object": "Owner(VALUE)[0]",
    "managed": "managed(VALUE)",
    # arrays
    "stored": "stored(VALUE)",
    "copied_to": "copied_to(VALUE)",
    "out": "by_out(VALUE)",
    "row": "np.array([VALUE])[0]",
    "stacked": "np.stack([VALUE, VALUE])[1]",
    "of_table": "of_table(VALUE)",
    "viewed": "viewed(VALUE)",
    "accumulated": "summed_into(VALUE)",
    "flattened": "flattened(VALUE)",
    "masked": "masked(VALUE)",
    "turned": "turned_twice(VALUE)",
}

BEFORE = """
import contextlib, dataclasses, functools, types, typing

FLAGS = np.array([True])

def handed(p):
    return p

def the_first(*all_of):
    return all_of[0]

def kept_keywords(**all_of):
    return all_of

def applied(function, *args, **kwargs):
    return function(*args, **kwargs)

def forwarded(*args, **kwargs):
    return handed(*args, **kwargs)

def with_a_log(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        found = function(*args, **kwargs)
        return found
    return wrapper

@with_a_log
def decorated(p):
    return p

def second_of(p, q):
    return q

def closed_over(p):
    def inner():
        return p
    return inner

def after(n, p):
    if n == 0:
        return p
    return after(n - 1, p)

def with_rest(p):
    return p, 0.5

def generated(p):
    yield p

def early(p):
    if not FLAGS[0]:
        return None
    return p

def looped(p):
    for k in range(4):
        if k == 2:
            return p
    raise ValueError

def in_finally(p):
    n = 0
    try:
        q = p
    finally:
        n += 1
    return q

def in_while(p):
    q = None
    while q is None:
        q = p
    return q

def pushed_and_popped(p):
    stack = []
    stack.append(0.5)
    stack.append(p)
    q = stack.pop()
    stack.pop()
    return q

def set_inside(p):
    q = None
    def inner():
        nonlocal q
        q = p
    inner()
    return q

@dataclasses.dataclass
class Box:
    value: typing.Any

@dataclasses.dataclass(frozen=True)
class Frozen:
    value: typing.Any

class Both(typing.NamedTuple):
    first: typing.Any
    second: typing.Any

class Owner:
    def __init__(self, p):
        self.held = p
    @property
    def value(self):
        return self.held
    @value.setter
    def value(self, p):
        self.held = p
    def given(self):
        return self.held
    def put(self, p):
        self.held = p
        return self
    @staticmethod
    def handed(p):
        return p
    @classmethod
    def made(cls, p):
        return cls(p)
    def __getitem__(self, k):
        return self.held
    def __enter__(self):
        return self.held
    def __exit__(self, *how):
        return False

class Heir(Owner):
    def __init__(self, p):
        super().__init__(p)
        self.more = 1
    def given(self):
        return super().given()

def owned(p):
    owner = Owner(0.0)
    owner.value = p
    return owner.value

class Called:
    def __init__(self, p):
        self.p = p
    def __call__(self):
        return self.p

class CalledWith:
    def __call__(self, p):
        return p

CALLED = CalledWith()

def managed(p):
    with Owner(p) as q:
        return q

def stored(p):
    q = np.empty(np.shape(p))
    q[...] = p
    return q

def copied_to(p):
    q = np.empty_like(p)
    np.copyto(q, p)
    return q

def by_out(p):
    q = np.zeros_like(p)
    np.add(q, p, out=q)
    return q

def of_table(p):
    table = np.zeros((3, *np.shape(p)))
    table[1] = p
    return table[1]

def viewed(p):
    q = np.zeros((2, *np.shape(p)))
    view = q[1:]
    view[0] = p
    return q[1]

def summed_into(p):
    q = np.zeros(np.shape(p))
    q += p
    return q

def flattened(p):
    return np.ravel(p).reshape(np.shape(p))

def masked(p):
    q = np.zeros(np.shape(p))
    q[q == 0] = np.ravel(p)
    return q

def turned_twice(p):
    return np.transpose(np.transpose(p))
"""

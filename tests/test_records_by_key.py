"""Dicts whose keys are computed, of objects and of dicts with the same entries."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, each_right_at_first, kept_in, refused_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
FIRST: list[Callable[..., Any]] = []
first_order = kept_in(FIRST)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

NAMES = ["A", "B", "C"]
GAMES = [("A", "B"), ("B", "C"), ("A", "C")]
AGAIN = [*GAMES, ("B", "B")]


@dataclass
class Rating:
    mu: float
    sigma: float

    def scale(self, c):
        self.mu *= c

    def value(self):
        return self.mu * self.sigma


class Node:
    def __init__(self):
        self.regret = np.zeros(2)


def updated(a, b):
    d = (a.mu - b.mu) / (a.sigma + b.sigma)
    return Rating(a.mu + d, a.sigma * 0.9), Rating(b.mu - d, b.sigma * 0.9)


def play(players, w, l, c):
    players[w].mu += c * players[l].mu
    players[l].mu -= c


def meet(p, q, c):
    p.mu += c * q.mu
    q.mu -= c * p.mu


def put_new(players, key, v):
    players[key] = Rating(v, v * v)


@followed
def season(x):
    players = {n: Rating(x[0], x[1]) for n in NAMES}
    for w, l in GAMES:
        players[w], players[l] = updated(players[w], players[l])
    return players["A"].mu * players["B"].sigma * x[2]


@followed
def entries_of_entries(x):
    players = {n: Rating(x[0], x[1]) for n in NAMES}
    for w, l in AGAIN:
        players[w].mu += x[2] * players[l].sigma
        players[l].mu -= x[3] * players[w].mu
    return players["A"].mu * players["B"].sigma


@followed
def names_for_two(x):
    players = {"A": Rating(x[0], x[1]), "B": Rating(x[2], 1.0), "C": Rating(x[3], 2.0)}
    for w, l in AGAIN:
        p, q = players[w], players[l]
        e = 1 / (1 + np.exp(q.mu - p.mu))
        p.mu += e
        q.mu -= e * x[0]
    return players["A"].mu * players["B"].mu


@followed
def run_over(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    total = 0.0
    for _, p in players.items():
        p.mu = p.mu * x[3]
        total += p.mu**2
    for p in players.values():
        total += p.value()
    rest = sum(p.sigma * p.mu for p in players.values())
    return total + rest * len(players) + sum(players[n].mu for n in players if n != "A")


@followed
def dicts(x):
    d = {}
    for i, n in enumerate(NAMES):
        d[n] = {"r": x[i], "n": 0.0}
    for w, l in GAMES:
        d[w]["r"] += x[3] * d[l]["r"]
        d[w]["n"] += x[0]
    return sum(d[k]["r"] * d[k]["n"] for k in d)


@followed
def of_constants(x):
    players = {n: Rating(25.0, 8.0) for n in NAMES}
    for w, l in GAMES:
        players[w].mu += x[0] * players[l].sigma
        players[l].sigma *= x[1]
    return players["A"].mu * players["C"].sigma


@followed
def dicts_of_constants(x):
    players = {n: {"mu": 25.0, "s": 8.0} for n in NAMES}
    for w, l in AGAIN:
        players[w]["mu"] += x[0]
        players[l]["mu"] -= x[1] * players[w]["s"]
    return players["A"]["mu"] * x[1]


@followed
def the_same_key_again(x):
    d = {n: Rating(x[0], x[1]) for n in "AB"}
    n = "A"
    for n in ["B", "A"]:
        d[n].mu += d["A"].mu * x[2]
    d[n] = Rating(d[n].mu * d[n].sigma, d[n].mu)
    return d["A"].mu + d["B"].sigma * d["A"].sigma


@followed
def of_no_trips(x):
    players = {}
    for n in NAMES[3:]:
        players[n] = Rating(x[0], x[1])
    total = x[2] ** 2
    for _, p in players.items():
        total += p.mu
    return total + (1.0 if players else x[3]) + len(players)


@followed
def at_keys_that_are_taken_out(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    keys = ["A", "B", "A"]
    while keys:
        players[keys.pop()] = Rating(x[3], x[0] * len(keys))
    return sum(p.mu * p.sigma for p in players.values())


@followed
def at_places_that_are_taken_out(x):
    players = [Rating(x[i], x[1]) for i in range(3)]
    places = [0, 1, 0]
    while places:
        players[places.pop()] = Rating(x[3], x[0] * len(places))
    return sum(p.mu * p.sigma for p in players)


@first_order
def made_where_it_is_missing(x):
    nodes = {}
    for it in range(3):
        for key in ("a", "b", "a"):
            if key not in nodes:
                nodes[key] = Node()
            node = nodes[key]
            node.regret += x[:2] * (it + 1)
    return nodes["a"].regret.sum() * x[3]


@first_order
def methods(x):
    players = {}
    for w, l in GAMES:
        if w not in players:
            players[w] = Rating(x[0], x[1])
        if l not in players:
            players[l] = Rating(x[0], x[1])
        players[w].scale(x[2])
        players[l].scale(x[3])
    return sum(players[k].value() for k in sorted(players))


@first_order
def methods_of_constants(x):
    players = {n: Rating(25.0, 8.0) for n in NAMES}
    for w, l in GAMES:
        players[w].scale(x[0])
        players[l].scale(x[1])
    return players["A"].value() * x[1]


@first_order
def given_to_a_function(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    for w, l in AGAIN:
        play(players, w, l, x[3])
    return sum(p.mu**2 for p in players.values())


@first_order
def another_key_meanwhile(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    k = "A"
    p = players[k]
    k = "B"
    p.mu = p.mu * x[3]
    total = 0.0
    for n, q in players.items():
        n = "B"
        q.mu = q.mu * x[3]
        total += players[n].mu * q.mu
    return players["A"].mu * players[k].mu ** 2 + total


@first_order
def stored_while_it_is_run_over(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    for n in players:
        players[n] = Rating(players[n].mu * x[3], x[0])
    for n in list(players):
        players[n + "x"] = Rating(players[n].mu * x[3], x[0])
    return sum(p.value() for p in players.values()) * len(players)


@first_order
def keys_of_two(x):
    q = {(s, a): Rating(x[0] * s, x[1]) for s in range(2) for a in "lr"}
    for s, a in [(0, "l"), (1, "r")]:
        q[s, a].mu += x[2]
        q[s, a].scale(x[3])
    return sum(p.value() * k[0] for k, p in q.items()) + q[0, "l"].value()


@first_order
def missing(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    try:
        v = players["Z"].mu
    except KeyError:
        v = x[3]
    return v * players["A"].mu


@first_order
def arrays(x):
    nodes = {}
    for i, n in enumerate("ABA"):
        if n not in nodes:
            nodes[n] = Rating(np.zeros(2), x[i])
        nodes[n].mu += x[:2] * (i + 1)
        nodes[n].mu[0] = x[3]
    return sum(np.sum(p.mu**2) * p.sigma for p in nodes.values())


@refused("put a new dict or object into the dict")
def one_under_all_keys(x):
    players = {}
    r = Rating(x[0], x[1])
    for n in NAMES:
        players[n] = r
    players["A"].mu = x[2]
    return players["B"].mu


@refused("put a new dict or object into the dict")
def one_under_two_keys(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    players["A"] = players["B"]
    players["A"].mu = x[3]
    return players["B"].mu


@refused("reach it through the dict")
def another_one_under_its_key(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    p = players["A"]
    players["A"] = Rating(x[3], x[2])
    p.mu = p.mu * 2
    return players["A"].mu * p.mu


@refused("may have a name")
def another_one_by_a_function(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    p = players["A"]
    put_new(players, "A", x[3])
    p.mu = p.mu * 2
    return players["A"].mu * p.mu


@refused("may be the same")
def two_that_may_be_one(x):
    players = {}
    for i, n in enumerate(NAMES):
        players[n] = Rating(x[i], x[1])
    for w, l in AGAIN:
        meet(players[w], players[l], x[3])
    return players["B"].mu


@refused("with the same entries")
def two_forms(x):
    d = {}
    for i, n in enumerate(NAMES):
        if i > 0:
            d[n] = {"r": x[i], "n": x[0]}
        else:
            d[n] = {"r": x[i]}
    return sum(d[k]["r"] for k in d)


X = np.array([0.7, 0.4, 0.9, 0.55])
X_DOT = np.array([0.3, -0.2, 0.5, 0.1])


test_records_by_key_in_every_mode = each_right(FUNCTIONS, X, X_DOT)
test_records_by_key = each_right_at_first(FIRST, X, X_DOT)
test_what_stands_in_two_places_is_refused = each_refused(REFUSED, X)


def test_the_text_has_a_dict_for_each_entry() -> None:
    text = grad(entries_of_entries).source(X)
    assert text.strip() == inspect.cleandoc(
        """
        def entries_of_entries_grad(x, dy=1.0):
            tape = []
            players_mu, players_sigma = {}, {}
            for n in NAMES:
                players_mu[n] = x[0]
                players_sigma[n] = x[1]
            for w, l in AGAIN:
                t = players_sigma[l]
                players_mu[w] += x[2] * t
                t_1 = players_mu[w]
                players_mu[l] -= x[3] * t_1
                tape.append((t, t_1))
            t = players_mu["A"]
            t_1 = players_sigma["B"]

            # return players["A"].mu * players["B"].sigma
            dplayers_mu = dict.fromkeys(players_mu, 0.0)
            dplayers_sigma = dict.fromkeys(players_sigma, 0.0)
            dplayers_mu["A"] += dy * t_1
            dplayers_sigma["B"] += dy * t
            dx = np.zeros_like(x)
            for w, l in reversed(AGAIN):
                t, t_1 = tape.pop()
                # players[l].mu -= x[3] * players[w].mu
                dt = dplayers_mu[l]
                dx[3] -= dt * t_1
                dplayers_mu[w] -= dt * x[3]
                # players[w].mu += x[2] * players[l].sigma
                dt = dplayers_mu[w]
                dx[2] += dt * t
                dplayers_sigma[l] += dt * x[2]
            for n in reversed(NAMES):
                # players = {n: Rating(x[0], x[1]) for n in NAMES}
                dx[1] += dplayers_sigma[n]
                dplayers_sigma[n] = 0.0
                dx[0] += dplayers_mu[n]
                dplayers_mu[n] = 0.0
            return dx
        """
    )

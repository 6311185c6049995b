"""Derivatives held against numeric ones, and against those of others.

`check` and `compare` are for users, `check_rule` is for rules of their own; `probing` evaluates, `culprit` finds the
line.
"""

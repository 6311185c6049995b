"""Expressions of derivatives: the templates of rules, filled in and kept as a person would write them.

`templates` fills in a rule for a call, `reading` says what of it may be read later, `tidy` and `simpler` make it
plain, and `tangents` puts such parts together for forward mode. `expressions` has what all of them ask; the other
files answer those who prune and fold: what is new memory (`fresh`), has effects (`effects`), may be dropped
(`droppable`).
"""

"""Forward mode: statements that move tangents along.

`forward` walks over statements, `moving` says which values it has to follow; the other files are parts of `forward`.
"""

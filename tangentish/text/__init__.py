"""From trees to text and from text to functions.

`printer` and `wrapping` make text, `names` says what values are called in it, `load` makes functions of it.
"""

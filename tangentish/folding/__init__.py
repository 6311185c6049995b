"""Forward pass and adjoint as one would write them by hand.

Each file is one fold, from statements to statements. generation/both_ways.py calls those that have to know what is
saved and read, `readable` those for which only lines are left.
"""

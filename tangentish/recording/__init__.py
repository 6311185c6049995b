"""What the forward pass has to keep for the way back, and where it keeps it.

`saving` finds what is overwritten while it is needed; `liveness` and `forward_liveness` drop what nobody reads,
`slots` makes tapes and locals of the rest. The other files find saves that are spared, or that are needed besides.
"""

"""From analysed functions to generated ones.

`generate` and `generate_forward` make the functions of one derivative, by `both_ways` for a function and its adjoint;
`finish` and `writer` make text and functions of them. The other files are steps of these.
"""

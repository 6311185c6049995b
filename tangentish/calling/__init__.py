"""What happens at a call: generated functions are found again by their arguments, outputs are checked.

`dispatch` finds the function for a call, `subject` says what it is a derivative of, `outputs` checks what comes out.
Upon them stand `tangent_map`, `matrices`, `filler` and `trace`; `containers` and `copies` are for all.
"""

"""From statements to the adjoint: the statements that walk back and build up the gradients.

`reverse` walks back over statements: its parts are `assignments`, `reverse_loops`, `reverse_calls` and
`reverse_lists`; `pull` passes a gradient on through an expression, and `gradients` knows what each value has so far.
`record` makes the forward pass. `heads` begins and `final_gradients` ends what `parts` holds together; `pair` names
it for calls. The other files answer single questions of these.
"""

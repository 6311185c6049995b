"""From statements to the adjoint: the statements that walk back and build up the gradients."""

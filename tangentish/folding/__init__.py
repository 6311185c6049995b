"""Forward pass and adjoint as one would write them by hand."""

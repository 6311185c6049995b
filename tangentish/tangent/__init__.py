"""Forward mode: statements that move tangents along."""

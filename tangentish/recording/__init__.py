"""What the forward pass has to keep for the way back, and where it keeps it."""

"""What is asked for: which derivative, with respect to what, of which arguments."""

"""What happens at a call: generated functions are found again by their arguments, outputs are checked."""

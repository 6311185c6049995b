"""From trees to text and from text to functions."""

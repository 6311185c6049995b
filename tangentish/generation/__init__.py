"""From analysed functions to generated ones."""

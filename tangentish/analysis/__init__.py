"""What is known of every function that is reached, and what carries a derivative taken apart."""

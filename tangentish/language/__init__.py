"""The user's source, read and written in the plainer Python of which statements are made."""

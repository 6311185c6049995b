"""The user's source, read and written in the plainer Python of which statements are made.

`source` finds the tree of a function, `normal` makes statements of it, `webs` makes values of its names. Between them
stand the passes that `normal` and `plain` call, each a file that writes one thing in plainer Python. `lifted`,
`binding` and `nested` say how functions are called; docs/where_changes_go.md has all files by what they are about.
"""

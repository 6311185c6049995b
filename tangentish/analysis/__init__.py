"""What is known of every function that is reached, and what carries a derivative taken apart.

`reached` analyses each function once for the kinds that it is called with; `passes` runs the walk of infer/ over it
and, by what that finds, `extract` and the other passes, until nothing is left to take apart. `guards` notes what has
to be the same at every call. docs/where_changes_go.md has the files by what they are about.
"""

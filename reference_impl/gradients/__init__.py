"""A small autograd: the graph, its walk, views and in-place changes, the modes, and functions of users."""

"""The bridge between tensors and NumPy arrays, in both directions, and from elements to Python numbers."""

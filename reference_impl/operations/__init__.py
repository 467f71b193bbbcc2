"""Operations on tensors: each with what it computes (in NumPy), the type of its result, and its gradient."""

"""Deliberate faults: how an implementation can be wrong, one thing at a time. `reference_impl.faults` lists them."""

"""Conformance suite for the conversion between torch tensors and NumPy arrays."""

from .catalogue import HOST, NON_HOST, claim
from .marks import requirement
from .versions import ALWAYS, NEVER

__all__ = ["ALWAYS", "HOST", "NEVER", "NON_HOST", "claim", "requirement"]
__version__ = "0.1.0"

"""Tests of spec/nonexistent.md."""

import pytest

from conformance import requirement


@requirement("absent.to-numpy")
def test_to_numpy_is_not_there(torch, device):
    x = torch.ones(2, device=device)
    with pytest.raises(AttributeError):
        x.to_numpy
    assert callable(x.numpy)  # control

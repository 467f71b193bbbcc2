"""Independent witnesses that a tensor and an array (or two tensors) use the same memory.

Two witnesses must agree: the addresses, and a write that is seen on the other side. Standard library only, so
that ``explain`` can copy these functions into a stand-alone script.
"""


def address(thing):
    """The address of the first element: of a tensor by ``data_ptr()``, of an ndarray by its array interface."""
    if hasattr(thing, "data_ptr"):
        return thing.data_ptr()
    return thing.__array_interface__["data"][0]


def written(thing, value):
    """Write ``value`` over every element of a tensor (outside autograd) or of an ndarray."""
    if hasattr(thing, "detach"):
        thing.detach().fill_(value)
    else:
        thing[...] = value


def read(thing):
    """All elements of a tensor or of an ndarray as one flat list."""
    if hasattr(thing, "detach"):
        thing = thing.detach()
    return thing.reshape(-1).tolist()


def assert_aliases(one, other):
    """Fail unless ``one`` and ``other`` begin at one address and a write to either is seen in the other.

    Both are overwritten, with values that their dtype (any but bool) can hold.
    """
    assert address(one) == address(other), "the addresses differ"
    written(one, 3)
    assert set(read(other)) == {3}, "a write to the first is not seen in the second"
    written(other, 5)
    assert set(read(one)) == {5}, "a write to the second is not seen in the first"


def assert_separate(one, other):
    """Fail if ``one`` and ``other`` begin at one address or a write to either is seen in the other. Overwrites both."""
    assert address(one) != address(other), "the addresses are equal"
    written(one, 3)
    written(other, 5)
    assert set(read(one)) == {3}, "a write to the second is seen in the first"
    written(one, 7)
    assert set(read(other)) == {5}, "a write to the first is seen in the second"

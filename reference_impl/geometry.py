"""Shapes and strides (in elements): pure functions that know nothing of tensors."""

from .errors import NotModelled


def count(shape):
    """The number of elements."""
    total = 1
    for size in shape:
        total *= size
    return total


def contiguous_strides(shape):
    """Strides of a tensor that is laid out row by row."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def channels_last_strides(shape):
    """Strides of a 4-dimensional tensor whose second dimension changes fastest (memory.channels-last-strides)."""
    if len(shape) != 4:
        raise RuntimeError("required rank 4 tensor to use channels_last format")
    n, c, h, w = shape
    return (h * w * c, 1, w * c, c)


def ordered_strides(shape, many):
    """Strides of a new dense tensor of ``shape``, its dimensions in the order that they have in operands with these
    strides.

    The first operand that tells two dimensions apart decides; a stride of 0 tells nothing (memory.clone-is-separate).
    """
    if 0 in shape:
        return contiguous_strides(shape)
    order = list(reversed(range(len(shape))))
    for place in range(1, len(order)):
        mine = place
        for before in range(place - 1, -1, -1):
            swap = _compared(shape, many, order[before], order[mine])
            if swap > 0:
                order[before], order[mine] = order[mine], order[before]
                mine = before
            elif swap < 0:
                break
    strides, step = [0] * len(shape), 1
    for dim in order:
        strides[dim] = step
        step *= shape[dim]
    return tuple(strides)


def _compared(shape, many, one, other):
    """Positive if dimension ``one`` belongs outside ``other``, negative if inside, 0 if nothing tells."""
    for strides in many:
        if strides[one] == 0 or strides[other] == 0:
            continue
        if strides[one] != strides[other]:
            return -1 if strides[one] < strides[other] else 1
        if shape[one] > shape[other]:
            return 1
    return 0


def is_contiguous(shape, strides):
    """Whether the elements lie row by row without gaps; dimensions of size 1 do not matter."""
    if 0 in shape:
        return True
    step = 1
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size != 1:
            if stride != step:
                return False
            step *= size
    return True


def is_dense(shape, strides):
    """Whether the elements fill their memory without gaps and without overlap, in any order of dimensions."""
    if 0 in shape:
        return True
    step = 1
    for stride, size in sorted((stride, size) for size, stride in zip(shape, strides) if size != 1):
        if stride != step:
            return False
        step *= size
    return True


def overlaps(shape, strides):
    """Whether two elements surely lie in one place, as in an expanded tensor."""
    return 0 not in shape and any(size > 1 and stride == 0 for size, stride in zip(shape, strides))


def extent(shape, strides):
    """The number of elements from the first to behind the last."""
    if 0 in shape:
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(shape, strides))


def wrapped(dim, dimensions):
    """A dimension counted from either end, as an index.

    Raises:
        IndexError: out of range.
    """
    limit = max(dimensions, 1)
    if not -limit <= dim < limit:
        raise IndexError(
            "Dimension out of range (expected to be in range of [{}, {}], but got {})".format(-limit, limit - 1, dim)
        )
    return dim % limit


def broadcast(*shapes):
    """The shape that tensors of these shapes have together.

    Raises:
        RuntimeError: they do not fit together.
    """
    dimensions = max([len(shape) for shape in shapes] or [0])
    padded = [(1,) * (dimensions - len(shape)) + tuple(shape) for shape in shapes]
    result = []
    for place, sizes in enumerate(zip(*padded)):
        wide = {size for size in sizes if size != 1}
        if len(wide) > 1:
            raise RuntimeError(
                "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}".format(
                    sizes[0], sizes[-1], place
                )
            )
        result.append(wide.pop() if wide else 1)
    return tuple(result)


def sizes_of(arguments):
    """Sizes given one by one or as one sequence, as a tuple of int."""
    if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)):
        arguments = arguments[0]
    for size in arguments:
        if not hasattr(type(size), "__index__") or isinstance(size, bool):
            raise TypeError("sizes must be int, not {}".format(type(size).__name__))
    return tuple(int(size) for size in arguments)


def inferred(sizes, elements):
    """``sizes`` with -1 replaced by what makes ``elements`` of them.

    Raises:
        RuntimeError: there is no such size.
    """
    if list(sizes).count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if any(size < -1 for size in sizes):
        raise RuntimeError("invalid shape dimension")
    known = count(size for size in sizes if size != -1)
    if -1 in sizes:
        if known == 0 or elements % known:
            raise RuntimeError("shape '{}' is invalid for input of size {}".format(list(sizes), elements))
        return tuple(elements // known if size == -1 else size for size in sizes)
    if known != elements:
        raise RuntimeError("shape '{}' is invalid for input of size {}".format(list(sizes), elements))
    return tuple(sizes)


def viewed_strides(shape, strides, sizes):
    """Strides with which the same memory has the shape ``sizes``, or None if a copy would be needed."""
    if 0 in shape:
        return strides if tuple(shape) == tuple(sizes) else contiguous_strides(sizes)
    if not shape:
        return (1,) * len(sizes)
    result = [0] * len(sizes)
    place = len(sizes) - 1
    base, chunk, seen = strides[-1], 1, 1
    for dim in range(len(shape) - 1, -1, -1):
        chunk *= shape[dim]
        if dim == 0 or (shape[dim - 1] != 1 and strides[dim - 1] != chunk * base):
            while place >= 0 and (seen < chunk or sizes[place] == 1):
                result[place] = seen * base
                seen *= sizes[place]
                place -= 1
            if seen != chunk:
                return None
            if dim > 0:
                base, chunk, seen = strides[dim - 1], 1, 1
    return tuple(result) if place == -1 else None


def memory_format_strides(shape, name):
    """Strides of a new tensor in the memory format ``name``."""
    if name in (None, "contiguous_format"):
        return contiguous_strides(shape)
    if name == "channels_last":
        return channels_last_strides(shape)
    raise NotModelled("memory_format={}".format(name))

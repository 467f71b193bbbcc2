"""Functions with several results: a tensor in pieces, which are views."""

from .. import geometry
from ..errors import NotModelled
from ..registry import both, method
from .views import selected, sliced


@method("unbind")
def unbind(self, dim=0):
    """A tuple with one view for each place of a dimension."""
    dim = geometry.wrapped(dim, len(self._impl.shape))
    if not self._impl.shape:
        raise NotModelled("unbind() of a tensor without dimensions")
    return pieces([selected(self, dim, place, "UnbindBackward0") for place in range(self._impl.shape[dim])])


@method("__iter__")
def iterate(self):
    """Over the first dimension.

    Raises:
        TypeError: there is none.
    """
    if not self._impl.shape:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


@both("split")
def split(self, split_size, dim=0):
    """Views of ``split_size`` places each along a dimension; the last one may be shorter."""
    if not isinstance(split_size, int) or isinstance(split_size, bool):
        raise NotModelled("split() into pieces of different sizes")
    if not self._impl.shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size >= 0:
        dim = geometry.wrapped(dim, len(self._impl.shape))
        size = self._impl.shape[dim]
    if split_size < 0 or split_size == 0 and size:
        raise RuntimeError("split expects split_size be non-negative, but got split_size={}".format(split_size))
    starts = range(0, max(size, 1), max(split_size, 1))
    return pieces([sliced(self, dim, start, min(start + split_size, size), 1, "SplitBackward0") for start in starts])


@both("chunk")
def chunk(self, chunks, dim=0):
    """At most ``chunks`` views along a dimension."""
    if not self._impl.shape or chunks <= 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor, and chunks to be greater than 0")
    size = self._impl.shape[geometry.wrapped(dim, len(self._impl.shape))]
    if not size:
        raise NotModelled("chunk() of no elements")
    return self.split(max(-(-size // chunks), 1), dim)


def pieces(views):
    """The results of a function with several: no piece may be changed in place on its own."""
    for piece in views:
        torch = piece._torch
        if not torch.modes.grad and not torch.behaviour.pieces_in_no_grad_are_views:
            piece._history.base = None
        if piece._history.base is not None:
            piece._history.how = piece._history.how or "multiple"
    nodes = [piece._history.grad_fn for piece in views]
    if len(nodes) > 1 and all(node is not None for node in nodes):
        for number, (piece, node) in enumerate(zip(views, [made_by_all(nodes)] * len(nodes))):
            piece._history.grad_fn, piece._history.output = node, number
    return tuple(views)


def made_by_all(nodes):
    """The one node that made all pieces, from those that would have made each: their gradients are added up."""
    parts = [node.backward for node in nodes]

    def backward(found):
        whole = [part([gradient])[0] for part, gradient in zip(parts, found)]
        return (sum(whole[1:], whole[0]),)

    return type(nodes[0])(nodes[0].edges, backward, (), [node.results[0] for node in nodes])

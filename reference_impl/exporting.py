"""``torch.onnx``: there, and refusing."""

from .errors import NotModelled
from .registry import function


@function("onnx.export")
def export(torch, model, *arguments, **options):
    """Export a module to a file.

    Raises:
        AttributeError: the model is a tensor (absent.onnx-export-refuses-a-tensor).
        NotModelled: it is a module.
    """
    if isinstance(model, torch.Tensor):
        raise AttributeError("'Tensor' object has no attribute 'training'")
    raise NotModelled("torch.onnx.export of a module")

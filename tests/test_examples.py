"""Examples are run with the implementation in torch's place."""

import sys

from conformance.test_examples import imported_as_torch


def test_torch_is_replaced_and_what_is_imported_meanwhile_stays():
    before = sys.modules.get("torch")
    made, late = type(sys)("made"), type(sys)("imported_meanwhile")
    with imported_as_torch(made):
        import torch

        assert torch is made
        sys.modules["imported_meanwhile"] = late
    assert sys.modules.get("torch") is before and sys.modules.pop("imported_meanwhile") is late

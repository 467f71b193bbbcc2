"""The device that is made without a GPU, in a process of its own."""

import importlib.util
import subprocess
import sys

import pytest
from conftest import ROOT

from conformance import backends, catalogue, results, spec
from conformance.backends import privateuse

torch = pytest.importorskip("torch")

SCRIPT = """
import numpy as np
import torch
from conformance import backends

backends.prepare(torch, "privateuse")
backends.prepare(torch, "privateuse")  # a second time changes nothing
x = torch.arange(6.0).to("privateuse").view(2, 3)
seen = [x.device.type, x[1, 1:2].expand(3).tolist(), x.t().contiguous().tolist(), (x * x).sum().item()]
y = x[0]
y.fill_(7)
seen += [x.cpu().tolist(), x.numpy(force=True).tolist()]
w = torch.ones(3, requires_grad=True, device="privateuse")
(w * w).sum().backward()
seen += [w.grad.device.type, w.grad.tolist()]
(w.cpu() * 3).sum().backward()
seen += [w.grad.tolist()]
for call in (x.numpy, w.cpu().numpy, x.t().as_strided, lambda: np.asarray(x)):
    try:
        call((1,), (1,)) if call.__name__ == "as_strided" else call()
        seen.append("no error")
    except Exception as error:
        seen.append(type(error).__name__)
print(seen)
"""


def test_it_holds_data_that_numpy_cannot_read():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=str(ROOT), stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 0
    assert eval(done.stdout) == [
        "privateuse",
        [4.0, 4.0, 4.0],
        [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]],
        55.0,
        [[7.0, 7.0, 7.0], [3.0, 4.0, 5.0]],
        [[7.0, 7.0, 7.0], [3.0, 4.0, 5.0]],
        "privateuse",
        [2.0, 2.0, 2.0],
        [5.0, 5.0, 5.0],
        "TypeError",
        "RuntimeError",
        "NotImplementedError",
        "TypeError",
    ]


def test_only_torch_itself_can_have_it():
    class Old:
        __name__ = "torch"
        __version__ = "2.9.1"

    class Other:
        __name__ = "other"
        __version__ = "2.13.0"

    for module in (Old, Other):
        with pytest.raises(RuntimeError, match="needs torch 2.10"):
            backends.prepare(module, "privateuse")
    backends.prepare(Other, "cpu")


def test_what_it_cannot_show_is_declared_by_known_ids():
    assert set(privateuse.LIMITS) <= set(spec.read_requirements())
    assert backends.limits(None, "privateuse:0") == privateuse.LIMITS and backends.limits(None, "cpu") == {}


def test_deviations_of_xla_are_requirements_in_its_scope_and_recorded_as_failed():
    requirements = spec.read_requirements()
    recorded = results.read(ROOT / "results" / "torch-2.9.1-numpy2-xla.json")
    declared = backends.deviations("xla")
    failed = {name for name, entry in recorded.requirements.items() if entry.word == "failed"}
    assert failed == set(declared) and all(requirements[name] and reason for name, reason in declared.items())
    assert backends.deviations("cpu") == backends.deviations("privateuse") == {}


def test_every_claim_about_cuda_tensors_is_observed_on_two_real_devices_and_predicted_for_cuda():
    claims = [claim for claim in catalogue.load_claims().values() if claim.devices == catalogue.NON_HOST]
    seen = {}
    for found in results.read_all(ROOT / "results"):
        for claim in claims:
            if claim.id in found.claims and found.claims[claim.id].word in ("correct", "incorrect"):
                seen.setdefault(claim.id, set()).add((found.environment.implementation, found.environment.device))
    assert len(claims) == len(seen) == 6
    for devices in seen.values():
        assert {("torch", "privateuse"), ("torch", "xla"), ("reference", "cuda")} <= devices


def test_without_its_package_xla_says_why_it_is_not_there():
    if importlib.util.find_spec("torch_xla"):
        pytest.skip("torch_xla is installed here")
    with pytest.raises(RuntimeError, match="torch_xla does not import .ModuleNotFoundError"):
        backends.prepare(torch, "xla")

"""Deliberate faults: that they are put in and taken out, and that the suite notices them where it should."""

import importlib

import numpy
import pytest
from conftest import one_line

import reference_impl
from conformance import baselines, faulting, implementations, spec
from conformance.commands import faults as fault_command
from reference_impl import faults
from reference_impl.faulting import patching, targets

NEWEST = implementations.NEWEST
ALL = faults.all_faults(NEWEST)
HERE = faulting.Place("reference", NEWEST, "cpu")


def test_each_fault_has_a_name_of_its_own_and_says_what_is_wrong():
    assert len(ALL) > 1000 and all(name == fault.name and len(fault.says) > 10 for name, fault in ALL.items())
    known = {name for path, way in list(targets.results()) + list(targets.refusals()) for name in [path + ":" + way]}
    assert set(targets.NO_FAULT) <= known and all(targets.NO_FAULT.values())
    switches = {switch.name for switch in importlib.import_module("reference_impl.editions").SWITCHES}
    assert set(targets.NO_FAULT_OF_SWITCH) <= switches


def test_a_fault_is_gone_when_it_is_taken_out():
    torch = reference_impl.edition(NEWEST)
    x = torch.ones(2)
    before = dict(vars(torch.Tensor)), dict(vars(torch))
    for name, fault in ALL.items():
        if fault.apply and name != "onnx.export:exists" and not name.startswith("multiprocessing"):
            try:
                patch = fault.applied(torch)
            except AttributeError:
                continue
            patch.undo()
    assert (dict(vars(torch.Tensor)), dict(vars(torch))) == before
    with ALL["Tensor.numpy:copies"].applied(torch):
        assert not numpy.shares_memory(x.numpy(), x.numpy())
    assert numpy.shares_memory(x.numpy(), x.numpy())


def test_a_part_that_is_not_there_cannot_be_wrong():
    with pytest.raises(AttributeError, match="Tensor.no_such_thing"):
        patching.wrap(patching.Patch(reference_impl.edition(NEWEST)), "Tensor.no_such_thing", None)


@pytest.mark.parametrize(
    "name, requirement",
    [
        ("Tensor.numpy:copies", "memory.tensor-write-seen-in-array"),
        ("Tensor.numpy:is-read-only", "memory.array-writeable"),
        ("Tensor.numpy:is-cyclic", "memory.array-freed-at-once"),
        ("Tensor.numpy:gains-a-dimension", "memory.zero-dim-array"),
        ("Tensor.numpy:raises-another-type", "grad.numpy-raises"),
        ("Tensor.numpy:permits", "grad.leaf-raises"),
        ("Tensor.detach:copies", "detach.same-address"),
        ("Tensor.detach:has-its-own-version", "detach.write-bumps-original-version"),
        ("Tensor.__len__:is-one-more", "scalar.len-is-first-dimension"),
        ("from_numpy:copies", "from.array-sees-tensor-writes"),
        ("no_grad:never-ends", "mode.no-grad-restores"),
        ("Tensor.to_numpy:exists", "absent.to-numpy"),
        ("no_grad_permits_numpy=False", "mode.no-grad-permits-numpy"),
    ],
)
def test_a_fault_is_caught_by_the_requirement_that_speaks_of_it(name, requirement):
    kills, live, judged = faulting.run(HERE, {requirement}, numpy, [name])
    assert [(kill.fault, kill.requirement) for kill in kills] == [(name, requirement)]
    assert live == [name] and judged == {requirement}


def test_torch_itself_can_have_a_fault_and_is_caught_as_well():
    torch = pytest.importorskip("torch")
    place = faulting.Place("torch", implementations.edition_of("torch", torch), "cpu")
    kills, _, judged = faulting.run(
        place, {"memory.tensor-write-seen-in-array", "grad.leaf-raises"}, numpy, ["Tensor.numpy:copies"]
    )
    assert {kill.requirement for kill in kills} == {"memory.tensor-write-seen-in-array"} and len(judged) == 2
    x = torch.ones(2)
    assert numpy.shares_memory(x.numpy(), x.numpy())


def test_a_fault_that_shows_nowhere_is_no_survivor():
    assert faulting.run(HERE, {"absent.to-numpy"}, numpy, ["Tensor.numpy:swaps-bytes"])[1] == []


def test_a_fault_that_is_named_is_the_only_one_that_is_tried():
    place = HERE._replace(edition="1.0")
    for part in (0, 1, None):
        kills, live, _ = fault_command._task((place, {"absent.to-numpy"}, part, ["Tensor.to_numpy:exists"], False))
        assert live == ([] if part == 1 else ["Tensor.to_numpy:exists"]) and {kill.fault for kill in kills} == set(live)


def test_every_requirement_is_in_scope_somewhere_with_one_numpy_or_the_other():
    requirements = spec.read_requirements()
    left = [set(faulting.places("reference", requirements, version)[1]) for version in ("1.19.5", "1.26.4", "2.4.6")]
    assert set.intersection(*left) == set()


def test_the_command_names_what_is_unknown_and_lists_what_there_is(run):
    assert one_line(run("faults", "nonsense")).startswith("fault nonsense: there is none of that name")
    done = run("faults", "--list")
    assert done.returncode == 0 and "Tensor.numpy:copies: Tensor.numpy copies where it should use" in done.stdout


def test_the_baselines_are_what_they_were_measured_as_and_doing_nothing_passes_no_chapter():
    found = baselines.scores()
    assert baselines.render(found) == baselines.FILE.read_text(encoding="utf-8")
    assert [name for name, score in found.items() if score.met[0] * 10 >= score.requirements] == []


def test_a_damaged_file_of_baselines_is_named(tmp_path):
    from conformance.errors import BadInput

    path = tmp_path / "baselines.tsv"
    for text in ("", "chapter\n", baselines.FILE.read_text(encoding="utf-8") + "detach\tmany\n"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadInput, match="baselines.tsv:"):
            baselines.read(path)

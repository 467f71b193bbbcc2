"""Measure which names each torch release has; the script that made ``names.tsv``.

Two steps, both with the standard library alone (and torch, for the first):

``python -I _measure_names.py dump OUT.json``
    in an environment with one torch release (Python 3.7 or later) writes what that release has;
``python -I _measure_names.py collect DIRECTORY names.tsv``
    joins the dumps ``DIRECTORY/<release>.json`` (``1.0.json`` ... ``2.15.json``) into the table.

The table's columns are owner, kind, releases and names: one line for each group of names of one owner that have
one kind in the same minor releases.  A name that changes its kind between releases is in two groups.  An owner is
a module, a class or, for the owners named in ``_instances``, an instance.  The names are those of ``dir(owner)`` as a
bare ``import torch`` leaves it; a module that ``import torch`` does not import is imported for its own names after
the others' names were taken.  The owner ``import`` lists the modules one and two levels below torch that lie in its
installed folder, imported or not.

Left out: what Python itself puts into a module, module objects that are not torch's (``os``, ``math``, ``np``), for
classes and instances the names that every object has, and what only newer Pythons put into every class.
"""

import importlib
import json
import os
import pkgutil
import sys
import types
import typing
import warnings

MODULES = (
    "torch",
    "torch.autograd",
    "torch.autograd.forward_ad",
    "torch.autograd.function",
    "torch.autograd.functional",
    "torch.autograd.graph",
    "torch.autograd.profiler",
    "torch.backends",
    "torch.cuda",
    "torch.func",
    "torch.linalg",
    "torch.nested",
    "torch.nn",
    "torch.nn.functional",
    "torch.onnx",
    "torch.random",
    "torch.sparse",
    "torch.utils",
    "torch.utils.dlpack",
)
CLASSES = (
    "torch.Size",
    "torch.Tensor",
    "torch.autograd.Function",
    "torch.nn.Linear",
    "torch.nn.Module",
    "torch.nn.Parameter",
)

OF_ANY_MODULE = frozenset(
    [
        "__annotate__",
        "__annotations__",
        "__builtins__",
        "__cached__",
        "__conditional_annotations__",
        "__doc__",
        "__file__",
        "__loader__",
        "__name__",
        "__package__",
        "__path__",
        "__spec__",
        "__warningregistry__",
    ]
)
# dir(object) has __getstate__ from Python 3.11 on; the others are what newer Pythons put into each class.
OF_ANY_OBJECT = frozenset(dir(object)) | frozenset(
    [
        "__getstate__",
        "__annotate__",
        "__annotate_func__",
        "__annotations_cache__",
        "__firstlineno__",
        "__static_attributes__",
    ]
)
# Their kind (class, function or neither) depends on the Python, not on torch; so does that of a typing.NewType.
TYPING_VALUES = frozenset(["Any", "NamedTuple", "TypedDict"])
PROPERTY_TYPES = (types.GetSetDescriptorType, types.MemberDescriptorType, property)

HEADER = ("owner", "kind", "releases", "names")


def _look_up(owner, name):
    """The attribute and None, or None and what looking it up raised."""
    try:
        return getattr(owner, name), None
    except BaseException as error:
        return None, error


def _module_kind(torch, module, name):
    """The kind of a module's name; None for a module object that is not torch's."""
    value, error = _look_up(module, name)
    if error is not None:
        return "value"
    if isinstance(value, types.ModuleType):
        return "module" if str(getattr(value, "__name__", "")).startswith("torch") else None
    if isinstance(value, torch.dtype):
        return "dtype"
    if any(value is getattr(typing, special, typing) for special in TYPING_VALUES) or hasattr(value, "__supertype__"):
        return "value"
    if isinstance(value, type):
        return "class"
    if type(value).__module__ in ("typing", "typing_extensions"):
        return "value"
    return "function" if callable(value) else "value"


def _class_kind(owner, name):
    """The kind of a name of a class."""
    value, error = _look_up(owner, name)
    if error is not None:
        return "value"
    if isinstance(value, PROPERTY_TYPES) or type(value).__name__ == "cached_property":
        return "property"
    return "method" if callable(value) else "value"


def _instance_kind(owner, name):
    """The kind of a name of an object."""
    value, error = _look_up(owner, name)
    return "method" if error is None and callable(value) else "property"


def _instances(torch):
    """The owners that are instances, by their names in the table."""
    found = {
        "Node": (torch.ones(1, requires_grad=True) * 2).grad_fn,
        "torch.Storage": torch.zeros(1).storage(),
        "torch.device": torch.device("cpu"),
        "torch.dtype": torch.float32,
    }
    if hasattr(torch.Tensor, "untyped_storage"):
        found["torch.UntypedStorage"] = torch.zeros(1).untyped_storage()
    return found


def _modules_on_disk(torch):
    """The dotted names one and two levels below torch, without importing any."""
    found = set()
    for first in pkgutil.iter_modules(torch.__path__):
        found.add("torch." + first.name)
        if first.ispkg:
            below = [os.path.join(path, first.name) for path in torch.__path__]
            found.update("torch.{}.{}".format(first.name, second.name) for second in pkgutil.iter_modules(below))
    return found


def dump():
    """What this environment's torch has: a dictionary for a ``<release>.json``."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    warnings.simplefilter("ignore")
    torch = importlib.import_module("torch")

    # First all the listings, by way of sys.modules: looking a name up may import a module and so add names.
    listings = {name: dir(sys.modules[name]) for name in MODULES if name in sys.modules}
    bare = sorted(listings)
    for path in CLASSES:
        parent, _, name = path.rpartition(".")
        if name in dir(sys.modules[parent]):
            listings[path] = dir(getattr(sys.modules[parent], name))

    owners, left_out = {}, {}

    def add(owner, names, kind_of, without):
        kinds = owners.setdefault(owner, {})
        for name in names:
            if name in without:
                continue
            kind = kind_of(name)
            if kind is None:
                left_out.setdefault(owner, []).append(name)
            else:
                kinds[name] = kind

    for name in MODULES:
        if name not in listings:
            continue
        add(name, listings[name], lambda n, m=sys.modules[name]: _module_kind(torch, m, n), OF_ANY_MODULE)
    for path in CLASSES:
        if path in listings:
            parent, _, name = path.rpartition(".")
            owner = getattr(sys.modules[parent], name)
            add(path, listings[path], lambda n, o=owner: _class_kind(o, n), OF_ANY_OBJECT)
    for name, owner in _instances(torch).items():
        add(name, dir(owner), lambda n, o=owner: _instance_kind(o, n), OF_ANY_OBJECT)
    failed = {}
    for name in MODULES:
        if name in listings:
            continue
        try:
            module = importlib.import_module(name)
        except Exception as error:
            failed[name] = "{}: {}".format(type(error).__name__, str(error).split("\n")[0])
            continue
        add(name, dir(module), lambda n, m=module: _module_kind(torch, m, n), OF_ANY_MODULE)
    owners["import"] = {name: "module" for name in _modules_on_disk(torch)}
    return {
        "torch": torch.__version__,
        "python": "{}.{}".format(*sys.version_info[:2]),
        "imported_by_import_torch": bare,
        "not_importable": failed,
        "left_out_modules": left_out,
        "owners": owners,
    }


def _order(release):
    """A release as numbers, to sort by."""
    return tuple(int(part) for part in release.split("."))


def spans(present, releases):
    """The releases of ``present`` as inclusive spans over ``releases`` (all that were measured, in order)."""
    parts, run = [], []
    for release in list(releases) + [None]:
        if release is not None and release in present:
            run.append(release)
        elif run:
            parts.append(run[0] if len(run) == 1 else "{}-{}".format(run[0], run[-1]))
            run = []
    return ",".join(parts)


def collect(directory):
    """The table's lines, made from the dumps in a directory."""
    dumps = {}
    for entry in os.listdir(directory):
        release, extension = os.path.splitext(entry)
        if extension == ".json" and release.replace(".", "").isdigit():
            with open(os.path.join(directory, entry), encoding="utf-8") as stream:
                dumps[release] = json.load(stream)["owners"]
    releases = sorted(dumps, key=_order)
    where = {}
    for release in releases:
        for owner, kinds in dumps[release].items():
            for name, kind in kinds.items():
                where.setdefault((owner, kind, name), set()).add(release)
    groups = {}
    for (owner, kind, name), present in where.items():
        groups.setdefault((owner, kind, spans(present, releases)), []).append(name)
    return ["\t".join(HEADER)] + ["\t".join(group + (" ".join(sorted(groups[group])),)) for group in sorted(groups)]


def main(arguments):
    """Run one step; the arguments are in the module's text."""
    if len(arguments) == 2 and arguments[0] == "dump":
        found = dump()
        with open(arguments[1], "w", encoding="utf-8") as stream:
            json.dump(found, stream, indent=1, sort_keys=True)
        return 0
    if len(arguments) == 3 and arguments[0] == "collect":
        lines = collect(arguments[1])
        with open(arguments[2], "w", encoding="utf-8", newline="\n") as stream:
            stream.write("\n".join(lines) + "\n")
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

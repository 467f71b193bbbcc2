"""Every deliberate fault, by name: what an implementation does wrong when it has it.

A fault is applied to a module shaped like ``torch``, the model's or torch itself, from outside (`Fault.applied`), or
is a switch of the model turned to the value of another release (`Fault.turned`). The suite must notice each of them.
"""

import collections

from . import editions, namespace
from .faulting import patching, special, targets, transforms


class Fault(collections.namedtuple("Fault", "name says path apply turned kinds")):
    """A fault: ``says`` is what is wrong, ``path`` the part that has it (or None), ``apply(patch)`` puts it in.

    A turned switch has ``turned`` (name, value) instead of ``apply``. ``kinds`` are the sorts of result that are wrong
    (`transforms.kind_of`), if it is results.
    """

    __slots__ = ()

    def applied(self, torch):
        """The fault put into a module: a context that takes it out again.

        Raises:
            AttributeError: the module lacks what should be wrong.
        """
        patch = patching.Patch(torch)
        if not self.kinds:
            patch.happened = None  # not counted
        try:
            self.apply(patch)
        except BaseException:
            patch.undo()
            raise
        return patch


def _of_result(path, name):
    """The fault of a part that gives a wrong result."""
    found = transforms.TRANSFORMS[name]

    def apply(patch):
        torch = patch.torch

        def around(plain, *arguments, **options):
            given = plain(*arguments, **options)
            changed = found.change(torch, given, arguments)
            if changed is transforms.SAME:
                return given
            patch.happened += 1
            return changed

        patching.wrap(patch, path, around)

    return Fault("{}:{}".format(path, name), "{} {}".format(path, found.says), path, apply, None, found.kinds)


def _of_refusal(path, name):
    """The fault of a part that refuses wrongly, or not at all."""
    found = transforms.REFUSALS[name]

    def apply(patch):
        torch = patch.torch

        def around(plain, *arguments, **options):
            try:
                return plain(*arguments, **options)
            except Exception as error:
                if type(error).__name__ == "NotModelled":
                    raise
                patch.happened += 1
                return found.change(torch, error, plain, arguments, options)

        patching.wrap(patch, path, around)

    return Fault("{}:{}".format(path, name), "{} {}".format(path, found.says), path, apply, None, found.kinds)


def _of_switches(release):
    """Each switch turned to every value that another release has."""
    made = []
    for switch in editions.SWITCHES:
        if switch.name in targets.NO_FAULT_OF_SWITCH:
            continue
        own = switch.value(release)
        for first, value in switch.history:
            if value != own and all(value != other.turned[1] for other in made if other.turned[0] == switch.name):
                name = "{}={}".format(switch.name, value)
                says = "as in torch {}: {}".format(first, switch.about)
                made.append(Fault(name, says, None, None, (switch.name, value), ()))
    return made


def all_faults(release):
    """Every `Fault` that an implementation of a release can have, by name."""
    found = [_of_result(path, name) for path, name in targets.results()]
    found += [_of_refusal(path, name) for path, name in targets.refusals()]
    found += [Fault(name, says, path, apply, None, ()) for name, says, path, apply in special.FAULTS]
    found += _of_switches(release)
    return collections.OrderedDict((fault.name, fault) for fault in found if fault.name not in targets.NO_FAULT)


def watching(torch, paths, seen):
    """Let a module note in the set ``seen`` which of its parts at ``paths`` are used: the path, and the pairs of it and
    the sort of each result (`transforms.kind_of`). Returns the `Patch` to undo.
    """
    patch = patching.Patch(torch)
    for path in paths:
        if patch.has(path) and not isinstance(patch.find(path)[2], type):
            _note(patch, path, seen)
    return patch


def _note(patch, path, seen):
    """Let one part note its use, and the sort of what it gives."""
    torch = patch.torch

    def around(plain, *arguments, **options):
        seen.add(path)
        try:
            given = plain(*arguments, **options)
        except Exception:
            seen.add((path, transforms.RAISED))
            raise
        seen.add((path, transforms.kind_of(torch, given, arguments)))
        return given

    patching.wrap(patch, path, around)


def same(torch, path):
    """A module in which a part is replaced by one that does the same: a context."""
    patch = patching.Patch(torch)
    if not patch.has(path) or isinstance(patch.find(path)[2], type):
        return patch
    patching.wrap(patch, path, lambda plain, *arguments, **options: plain(*arguments, **options))
    return patch


def edition_watching(release, seen):
    """A module of a release that notes in the set ``seen`` which switches are read, and those read to lay it out."""

    class Watched(editions.Behaviour):
        """Switches that note who reads them."""

        def __getattribute__(self, name):
            if not name.startswith("_"):
                seen.add(name)
            return object.__getattribute__(self, name)

    seen.clear()
    made = namespace.build(release, Watched(release))
    return made, set(seen)


def edition_with(release, switches):
    """A module of a release of its own, with switches turned: ``{name: value}``."""
    return namespace.build(release, editions.Behaviour(release, switches))

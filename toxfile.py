"""Makes an environment of tox for each release of torch in ``conformance/releases.tsv``.

Without arguments after ``--`` an environment checks that what is recorded would not change; any arguments replace that.
"""

import importlib.util
import sys
from pathlib import Path

from tox.config.loader.memory import MemoryLoader
from tox.config.types import Command, EnvList
from tox.plugin import impl


def _releases():
    """The module ``conformance/releases.py`` by itself: tox has nothing of what the package needs."""
    path = Path(__file__).resolve().parent / "conformance" / "releases.py"
    spec = importlib.util.spec_from_file_location("_releases", str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


releases = _releases()
ENVIRONMENTS = releases.environments(releases.read_releases())
CORE = ("packaging", "pytest", "pytest-xdist")
TOOLS = ("lint", "types", "tests", "reference", "reference-numpy1", "reference-oldest")


@impl
def tox_extend_envs():
    """The names of the environments."""
    return [each.name for each in ENVIRONMENTS]


@impl
def tox_add_core_config(core_conf, state):
    """Their settings; ``tox run`` without a name runs the tools, the oldest and the newest release, and boundaries."""
    given = state.conf.pos_args(None)
    more = ["--check"] if given is None else list(given)
    for each in ENVIRONMENTS:
        devices = [word for device in each.devices for word in ("--device", device)]
        settings = MemoryLoader(
            description="the suite on one release of torch",
            base_python=["python" + each.python],
            deps="\n".join(CORE + each.packages),
            labels=list(each.labels),
            commands=[Command(["python", "-m", "conformance", "run", *devices, *more])],
        )
        state.conf.memory_seed_loaders[each.name].append(settings)
    chosen = [each.name for each in ENVIRONMENTS if set(each.labels) & {"oldest", "boundaries", "newest"}]
    core_conf.loaders.insert(0, MemoryLoader(env_list=EnvList([*TOOLS, *chosen])))

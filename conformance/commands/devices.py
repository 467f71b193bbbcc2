"""``devices``: which devices an implementation has here, and why it lacks the others."""

from .. import devices, implementations
from . import run


def add(subparsers):
    """Add the command's options."""
    parser = subparsers.add_parser("devices", help="which devices are here, and why others are not")
    parser.add_argument("name", nargs="*", help="devices to look for (default: {})".format(", ".join(devices.KNOWN)))
    parser.add_argument("--implementation", help="torch, reference, or an importable module shaped like torch")
    parser.add_argument("--edition", help="the torch release whose behaviour is expected")
    parser.set_defaults(main=main)


def main(options):
    """Print one line a device; status 0."""
    asked = options.name or list(devices.KNOWN)
    implementation = options.implementation or implementations.default()
    environments, absent = run.discover(implementation, options.edition, asked)
    for device in asked:
        print("{:<12} {}".format(device, "not here: " + absent[device] if device in absent else "here"))
    for environment in list(environments.values())[:1]:
        print("{} {}, NumPy {}, Python {}".format(*environment[:4]))
    return 0

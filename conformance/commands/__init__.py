"""One module a command of ``python -m conformance``; each has ``add(subparsers)`` and ``main(options)``."""

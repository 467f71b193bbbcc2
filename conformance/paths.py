"""Where the specification and the recorded results lie: in a checkout, or inside the wheel."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
_ROOT = PACKAGE.parent
CHECKOUT = (_ROOT / "pyproject.toml").is_file() and (_ROOT / "spec").is_dir()

SPEC = _ROOT / "spec" if CHECKOUT else PACKAGE / "_data" / "spec"
RECORDED = _ROOT / "results" if CHECKOUT else PACKAGE / "_data" / "results"
WRITTEN = _ROOT / "results" if CHECKOUT else Path("results")
CHAPTERS = PACKAGE / "chapters"


def shown(path):
    """``path`` as a person would type it: relative to the checkout or the working folder."""
    path = Path(path)
    for base in (_ROOT, Path.cwd()):
        try:
            return path.resolve().relative_to(base).as_posix()
        except ValueError:
            continue
    return path.as_posix()

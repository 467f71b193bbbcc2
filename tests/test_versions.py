"""Version ranges and device scopes."""

import pytest

from conformance import devices
from conformance.versions import ALWAYS, NEVER, minor, parse_range, plain


@pytest.mark.parametrize(
    "text, torch, numpy, inside",
    [
        ("torch>=1.6", "1.6.0", "1.19.5", True),
        ("torch>=1.6", "1.5.1", "1.19.5", False),
        ("torch>=1.6", "1.6", "1.19.5", True),
        ("torch>=1.6", "1.10.2+cu102", "1.19.5", True),
        ("torch<1.6", "1.6.0", "1.19.5", False),
        ("torch>=2.15", "2.15.0.dev20260101", "2.0", True),
        ("torch>=1.6,<2.9", "2.9.0", "2.0", False),
        ("torch>=2.9 and numpy>=2.3", "2.9.1", "2.2.6", False),
        ("torch>=2.9 and numpy>=2.3", "2.9.1", "2.3.0", True),
        ("torch<1.1 or torch>=1.13", "1.0.1", "1.19", True),
        ("torch<1.1 or torch>=1.13", "1.1.0", "1.19", False),
        ("torch<1.1 or torch>=1.13", "1.13.1", "1.19", True),
        (ALWAYS, "1.0", "1.0", True),
        (NEVER, "2.15", "2.0", False),
    ],
)
def test_ranges(text, torch, numpy, inside):
    assert parse_range(text).contains(torch, numpy) is inside


@pytest.mark.parametrize("text", ["", "1.6", "torch", "torch 1.6", "jax>=1", "torch>=x", "torch>=1.6 and", "sometimes"])
def test_what_is_no_range(text):
    with pytest.raises(ValueError):
        parse_range(text)


def test_minor_and_plain():
    assert minor("1.13.1") == "1.13" and minor("2.13.0+cpu") == "2.13"
    assert str(plain("2.13.0+cpu")) == "2.13.0"


@pytest.mark.parametrize(
    "phrase, names",
    [
        ("every device", "cpu meta cuda xla"),
        ("every device that holds data", "cpu cuda xla"),
        ("every device whose memory the host can read", "cpu"),
        ("every device whose memory the host cannot read", "cuda xla"),
        ("every device but the host", "meta cuda xla"),
        ("the meta device", "meta"),
    ],
)
def test_device_scopes(phrase, names):
    assert [name for name in ("cpu", "meta", "cuda", "xla") if devices.in_scope(phrase, name)] == names.split()


def test_every_scope_phrase_is_tested_and_documented():
    from conformance import paths

    readme = (paths.SPEC / "README.md").read_text(encoding="utf-8")
    for phrase in devices.SCOPES:
        assert "| {} |".format(phrase) in readme

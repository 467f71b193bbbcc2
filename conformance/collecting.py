"""The part of the pytest plugin that collects the suite; as a plugin of its own it needs no implementation."""

import pytest

from . import spec


def pytest_configure(config):
    """Register the marks."""
    config.addinivalue_line("markers", "requirement(id): the requirement of the specification that the test checks")
    config.addinivalue_line("markers", "example: the example of a requirement")


@pytest.fixture
def torch():
    """The implementation, which is passed when a test is called."""


@pytest.fixture
def np():
    """NumPy."""


@pytest.fixture
def device():
    """The device."""


def pytest_generate_tests(metafunc):
    """Make one item of each requirement's example."""
    if "exemplified" in metafunc.fixturenames:
        examples = [found for found in spec.read_requirements().values() if found.example]
        metafunc.parametrize("exemplified", examples, ids=[found.id for found in examples])

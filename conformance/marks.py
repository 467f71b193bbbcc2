"""The decorator that ties a test to the requirement that it checks."""


def requirement(identifier):
    """Mark a test as checking the requirement ``identifier`` (an id of the specification).

    The id is read from the source text as well, so it must be a literal string.
    """
    import pytest  # late: the claim catalogue is read where pytest is not installed

    return pytest.mark.requirement(identifier)

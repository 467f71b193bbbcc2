"""The tests of the requirements: test_<chapter>.py for each spec/<chapter>.md."""

"""Runs a function in a forked child process, for what may end the interpreter.

Standard library only, so that ``explain`` can copy it into a stand-alone script.
"""

import os
import pickle


class ChildEnded(RuntimeError):
    """The child process ended before it returned a value: by a signal, or with an exit status."""


def in_child(call):
    """Run ``call()`` in a forked copy of this process and return what it returns (anything that pickles).

    Raises:
        ChildEnded: the child was ended by a signal (which is named by number) or exited by itself.
        Exception: what ``call()`` raised, made again from its type's name and its text, as RuntimeError.
        OSError: this system cannot fork.
    """
    if not hasattr(os, "fork"):
        raise OSError("this system cannot fork a child process")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.close(reading)
            try:
                answer = (True, call())
            except Exception as error:
                answer = (False, type(error).__name__ + ": " + str(error))
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(answer, pipe)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    ended = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(ended):
        raise ChildEnded("the child process was ended by signal {}".format(os.WTERMSIG(ended)))
    if not data or os.WEXITSTATUS(ended) != 0:
        raise ChildEnded("the child process exited with status {}".format(os.WEXITSTATUS(ended)))
    returned, value = pickle.loads(data)
    if not returned:
        raise RuntimeError(value)
    return value

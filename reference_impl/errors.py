"""The one exception of this package's own."""


class NotModelled(NotImplementedError):
    """Raised on use of what real torch has and this model does not: a refusal to answer, never an answer.

    ``raised`` counts the refusals of the process and ``latest`` is the message of the last one, so that a caller can
    notice
    one that somebody caught.
    """

    raised = 0
    latest = None

    def __init__(self, what):
        super().__init__("{} is not modelled by the reference implementation".format(what))
        NotModelled.raised += 1
        NotModelled.latest = str(self)

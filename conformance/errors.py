"""The one exception that a user can mend: bad input."""


class BadInput(Exception):
    """Something given to a command cannot be used.

    Printed as one line, ``where: what; mend``, with exit status 2.

    Args:
        where: the file, file and line, option or id that is at fault.
        what: what is wrong with it.
        mend: what to do about it.
    """

    def __init__(self, where, what, mend):
        super().__init__(where, what, mend)
        self.where = str(where)
        self.what = what
        self.mend = mend

    def __str__(self):
        line = "{}: {}; {}".format(self.where, self.what, self.mend)
        return " ".join(line.split())

"""Claims of the document 003_a3bd01242a5bedfa.txt."""

from conformance import ALWAYS, NEVER, claim
from conformance.findings import Finding

DOCUMENT = "003_a3bd01242a5bedfa.txt"

"""Claims of the document 001_061fbbdffb7ed958.txt."""

from conformance import ALWAYS, NEVER, claim
from conformance.findings import Finding

DOCUMENT = "001_061fbbdffb7ed958.txt"

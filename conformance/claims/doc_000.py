"""Claims of the document 000_4432c67a89b620e2.txt."""

from conformance import ALWAYS, NEVER, claim
from conformance.findings import Finding

DOCUMENT = "000_4432c67a89b620e2.txt"

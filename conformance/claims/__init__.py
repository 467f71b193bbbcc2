"""Claims: one module a source document. See CONTRIBUTING.md for how to add one."""

"""Renderers of the truth table: one module a format, each with ``render(table, ...)`` that returns text."""

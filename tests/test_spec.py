"""The reader of the specification takes what has the form, and refuses the rest by file and line."""

import pytest

from conformance import linting, spec
from conformance.errors import BadInput

GOOD = """# Things

Prefix: `thing`

About things.

## First

### thing.is-there
*MUST* · torch>=1.6,<2.9 and numpy>=2 · every device that holds data

The thing is there,
in two lines:

* and a list
* of two

Changed in torch 1.6: it was not there.

Note: that
is all.

```python
>>> 1 + 1
2
```

### thing.is-gone
*MAY* · torch<1.6 or torch>=2.9 · the meta device

It is gone.
"""


def chapter(tmp_path, text, name="things.md"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return spec.read_chapters(tmp_path)


def test_reads_every_part_of_a_requirement(tmp_path):
    (found,) = chapter(tmp_path, GOOD)
    first, second = found.requirements
    assert (found.name, found.title, found.prefix) == ("things", "Things", "thing")
    assert (first.id, first.level, first.section, first.line) == ("thing.is-there", "MUST", "First", 9)
    assert first.devices == "every device that holds data"
    assert first.text == "The thing is there, in two lines:\n\n* and a list\n* of two"
    assert first.notes == ("Changed in torch 1.6: it was not there.", "Note: that is all.")
    assert first.example == ">>> 1 + 1\n2\n"
    assert second.text == "It is gone."
    assert second.scope == "MAY · torch<1.6 or torch>=2.9 · the meta device"
    assert second.example == ""


@pytest.mark.parametrize(
    "old, new, line, says",
    [
        ("# Things\n", "Things\n", 1, "no title"),
        ("Prefix: `thing`\n", "\n", 9, "before the chapter's prefix"),
        ("### thing.is-there", "### Thing is there", 9, "not a requirement id"),
        ("### thing.is-there", "### other.is-there", 9, "lacks the chapter's prefix"),
        ("*MUST* · torch", "MUST · torch", 10, "no scope line"),
        ("*MUST* · torch", "*OUGHT* · torch", 10, "malformed scope line"),
        (" · every device that holds data", "", 10, "malformed scope line"),
        ("torch>=1.6,<2.9", "torch from 1.6", 10, "not a range"),
        ("torch>=1.6,<2.9", "torch>=one", 10, "not a version specifier"),
        ("every device that holds data", "all devices", 10, "unknown device scope"),
        ("Note: that", "We note that", 9, "no note"),
        ("It is gone.\n", "", 28, "no normative text"),
        ("```\n\n###", "\n###", 9, "not closed"),
        ("*MUST* · torch", "*MUST · torch", 10, "malformed scope line"),
        ("torch>=1.6,<2.9", "torch>=1.6,,<2.9", 10, "has an empty part"),
        ("torch>=1.6,<2.9", "torch>=3", 10, "holds no release"),
        ("Changed in torch 1.6: it", "Nota: it", 9, "unknown label 'Nota'"),
        ("It is gone.", "#### It is gone.", 31, "a heading inside"),
        ("### thing.is-gone", "### thing.is-there", 28, "already used at"),
    ],
)
def test_refuses_a_malformed_block_by_file_and_line(tmp_path, old, new, line, says):
    assert GOOD.count(old) == 1
    with pytest.raises(BadInput) as caught:
        chapter(tmp_path, GOOD.replace(old, new))
    text = str(caught.value)
    assert says in text and "things.md:{}:".format(line) in text and "\n" not in text
    chapter(tmp_path, GOOD)  # control


def test_refuses_a_folder_without_chapters(tmp_path):
    with pytest.raises(BadInput, match="no chapters"):
        spec.read_chapters(tmp_path)


def test_a_heading_inside_an_example_is_no_heading(tmp_path):
    (found,) = chapter(tmp_path, GOOD.replace(">>> 1 + 1", "### not a heading\n>>> 1 + 1"))
    assert len(found.requirements) == 2


def test_the_index_lists_every_requirement_and_is_checked(tmp_path):
    chapters = chapter(tmp_path, GOOD)
    text = "# Spec\n\n" + linting.index(chapters)
    assert linting.index_problems(chapters, text, "spec/README.md") == []
    assert linting.index_problems(chapters, text.replace("thing.is-gone`", "thing.is-lost`"), "x") == [
        "x: the index lacks thing.is-gone; run lint --write-index",
        "x: the index lists the unknown thing.is-lost; run lint --write-index",
    ]


def test_the_projects_own_specification_is_well_formed():
    requirements = spec.read_requirements()
    assert len(requirements) >= 120
    assert len({found.chapter for found in requirements.values()}) >= 13


def test_a_chapter_that_is_not_utf_8_is_refused_by_name(tmp_path):
    (tmp_path / "things.md").write_bytes(GOOD.encode("utf-8") + b"\xff\xfe")
    with pytest.raises(BadInput, match="things.md: not UTF-8"):
        spec.read_chapters(tmp_path)
    (tmp_path / "things.md").write_bytes(b"\xef\xbb\xbf" + GOOD.encode("utf-8"))
    assert len(spec.read_requirements(tmp_path)) == 2

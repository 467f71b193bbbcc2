"""Reads the requirements out of the specification's Markdown files.

The form of a requirement is described in ``spec/README.md``. Nothing but the standard library and
``packaging`` is needed, and nothing is repaired: what does not have the form is refused by file and line.
"""

import re
from pathlib import Path
from typing import NamedTuple, Tuple

from . import devices, paths
from .errors import BadInput
from .versions import EDITIONS, Range, parse_range

LEVELS = ("MUST", "SHOULD", "MAY")
NOTE_LABELS = ("Changed in torch", "Since torch", "Note:", "Message:", "Open:", "Example:")

_ID = re.compile(r"[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$")
_PREFIX = re.compile(r"Prefix: `([a-z]+)`$")
_LABEL = re.compile(r"[A-Z][a-z]+( in torch [0-9.]+)?: ")
# NumPy releases at which a behaviour may change, to see that a range holds any release at all.
_NUMPYS = (
    "1.16",
    "1.19",
    "1.20",
    "1.22",
    "1.23",
    "1.24",
    "1.25",
    "1.26.4",
    "2.0",
    "2.1",
    "2.2.4",
    "2.2.6",
    "2.3",
    "2.4",
    "2.5",
)
_SCOPE_FORM = "*MUST* · torch>=1.0 · every device"


class Requirement(NamedTuple):
    """One normative statement, with the place where it stands."""

    id: str
    chapter: str
    section: str
    level: str
    range: Range
    devices: str
    text: str
    notes: Tuple[str, ...]
    example: str
    file: str
    line: int

    @property
    def scope(self):
        """The scope line without its markup."""
        return "{} · {} · {}".format(self.level, self.range.text, self.devices)


class Chapter(NamedTuple):
    """One file of the specification; ``name`` is the file's stem."""

    name: str
    title: str
    prefix: str
    file: str
    requirements: Tuple[Requirement, ...]


def read_chapters(folder=paths.SPEC):
    """All chapters of the specification in ``folder``, in file-name order.

    Raises:
        BadInput: a malformed block, or an id that stands twice.
    """
    files = sorted(path for path in Path(folder).glob("*.md") if path.name != "README.md")
    if not files:
        raise BadInput(paths.shown(folder), "no chapters of the specification here", "name the folder that holds them")
    chapters = [read_chapter(path) for path in files]
    seen = {}
    for chapter in chapters:
        for requirement in chapter.requirements:
            where = "{}:{}".format(requirement.file, requirement.line)
            if requirement.id in seen:
                raise BadInput(
                    where,
                    "the id {} is already used at {}".format(requirement.id, seen[requirement.id]),
                    "choose another",
                )
            seen[requirement.id] = where
    return chapters


def read_requirements(folder=paths.SPEC):
    """All requirements of the specification in ``folder``, by id, in the order in which they stand."""
    return {requirement.id: requirement for chapter in read_chapters(folder) for requirement in chapter.requirements}


def read_chapter(path):
    """Read one file of the specification. Raises `BadInput` like `read_chapters`."""
    path = Path(path)
    shown = paths.shown(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BadInput(shown, "not UTF-8 text", "save it as UTF-8") from None
    title, prefix, section = None, None, ""
    requirements = []
    number = 0
    fenced = False
    while number < len(lines):
        line = lines[number]
        if line.startswith("```"):
            fenced = not fenced
        if fenced:
            number += 1
            continue
        if line.startswith("# ") and title is None:
            title = line[2:].strip()
        elif prefix is None and line.startswith("Prefix: "):
            match = _PREFIX.match(line)
            prefix = match.group(1) if match else None
        elif line.startswith("## "):
            section = line[3:].strip()
        elif line.startswith("### "):
            end = _block_end(lines, number + 1)
            requirements.append(_read_block(path.stem, shown, prefix, section, number, lines[number:end]))
            number = end
            continue
        number += 1
    if title is None:
        raise BadInput(shown + ":1", "the chapter has no title", "begin the file with '# Title'")
    if prefix is None:
        raise BadInput(shown + ":1", "the chapter names no prefix", "add a line such as 'Prefix: `grad`'")
    return Chapter(path.stem, title, prefix, shown, tuple(requirements))


def _block_end(lines, start):
    fenced = False
    for number in range(start, len(lines)):
        if lines[number].startswith("```"):
            fenced = not fenced
        elif not fenced and re.match(r"#{1,3}( |$)", lines[number]):
            return number
    return len(lines)


def _read_block(chapter, shown, prefix, section, index, block):
    """One requirement from ``block``, whose first line is line ``index + 1`` of the file."""

    def bad(offset, what, mend):
        return BadInput("{}:{}".format(shown, index + 1 + offset), what, mend)

    identifier = block[0][4:].strip()
    if not _ID.match(identifier):
        raise bad(0, "'{}' is not a requirement id".format(identifier), "write it as 'prefix.slug-in-lower-case'")
    if prefix is None:
        raise bad(0, "a requirement before the chapter's prefix", "put 'Prefix: `...`' above it")
    if identifier.split(".")[0] != prefix:
        raise bad(0, "{} lacks the chapter's prefix".format(identifier), "begin the id with '{}.'".format(prefix))
    if len(block) < 2 or not block[1].startswith("*"):
        raise bad(1, "{} has no scope line".format(identifier), "write one such as '{}'".format(_SCOPE_FORM))
    parts = [part.strip() for part in block[1].split(" · ")]
    level = parts[0][1:-1]
    if len(parts) != 3 or level not in LEVELS or parts[0] != "*{}*".format(level):
        raise bad(1, "{} has a malformed scope line".format(identifier), "write it as '{}'".format(_SCOPE_FORM))
    try:
        versions = parse_range(parts[1])
    except ValueError as problem:
        raise bad(1, "{}: {}".format(identifier, problem), "mend the range") from None
    if not any(versions.contains(edition, numpy) for edition in EDITIONS for numpy in _NUMPYS):
        raise bad(1, "{}: the range '{}' holds no release".format(identifier, parts[1]), "mend the range")
    if parts[2] not in devices.SCOPES:
        raise bad(
            1,
            "{} names the unknown device scope '{}'".format(identifier, parts[2]),
            "use one of: " + ", ".join("'{}'".format(phrase) for phrase in devices.SCOPES),
        )
    for offset, line in enumerate(_unfenced(block[2:])):
        if line.startswith("#"):
            raise bad(
                offset + 2, "a heading inside {}: '{}'".format(identifier, line), "write '### ' and an id, or remove it"
            )
    paragraphs, example = _paragraphs(block[2:])
    if example is None:
        raise bad(0, "the example of {} is not closed".format(identifier), "end it with a line of three backticks")
    for paragraph in paragraphs:
        if _LABEL.match(paragraph) and not paragraph.startswith(NOTE_LABELS):
            raise bad(
                0,
                "{} has a paragraph with the unknown label '{}'".format(identifier, paragraph.split(":")[0]),
                "begin notes with one of: " + ", ".join(NOTE_LABELS),
            )
    text = []
    while paragraphs and not paragraphs[0].startswith(NOTE_LABELS):
        text.append(paragraphs.pop(0))
    for note in paragraphs:
        if not note.startswith(NOTE_LABELS):
            raise bad(
                0,
                "{} has a paragraph after its notes that is no note: '{}...'".format(identifier, note[:30]),
                "move it up, or begin it with one of: " + ", ".join(NOTE_LABELS),
            )
    if not text:
        raise bad(0, "{} has no normative text".format(identifier), "state the requirement below its scope line")
    return Requirement(
        identifier,
        chapter,
        section,
        level,
        versions,
        parts[2],
        "\n\n".join(text),
        tuple(paragraphs),
        example,
        shown,
        index + 1,
    )


def _unfenced(lines):
    """The lines, with those of examples made empty."""
    fenced, kept = False, []
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        kept.append("" if fenced else line)
    return kept


def _paragraphs(lines):
    """Split ``lines`` into paragraphs of joined lines and the text of all fenced blocks (None if one is not closed)."""
    paragraphs, current, example, fenced = [], [], [], False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        if fenced or line.startswith("```"):
            if not line.startswith("```"):
                example.append(line)
            continue
        if line.strip():
            current.append(line.strip() if not line.startswith(("* ", "- ", "| ")) else line)
        elif current:
            paragraphs.append(_joined(current))
            current = []
    if current:
        paragraphs.append(_joined(current))
    return paragraphs, None if fenced else "\n".join(example) + ("\n" if example else "")


def _joined(lines):
    """Lines of a paragraph as one line; list items and table rows keep their own."""
    text = lines[0]
    for line in lines[1:]:
        text += ("\n" if line.startswith(("* ", "- ", "| ")) else " ") + line
    return text

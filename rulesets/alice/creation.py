"""Creation steps. Nothing is rolled in this game; a GM character can be read from one line of its notation (§13.1)."""

from __future__ import annotations

from rulesets.alice.notation import TAKEN, read_notation, write_notation
from rulesets.alice.sheet import Sheet
from rulesets.alice.tables import Tables
from rulesets.engine.dice import DiceSource
from rulesets.engine.problems import Value
from rulesets.engine.text import same
from rulesets.protocol import Created, Fields, Refusal


def create(step: str, fields: Fields, tables: Tables, dice: DiceSource) -> Created:
    """`notation`: the line in the field `name` becomes name, abilities and tags.

    Raises `Refusal` E_NO_STEP, E_BAD_NOTATION.
    """
    if step != "notation":
        raise _refusal("E_NO_STEP", tables, step=step[:40])
    line = Sheet(fields, tables).text("name")
    read = read_notation(line)
    if read is None:
        raise _refusal("E_BAD_NOTATION", tables, line=line[:80])
    changes: dict[str, Value] = {key: read.get(key) for key in TAKEN}
    written = write_notation(read)
    return Created(changes, (), same(written), {"step": step, "notation": written})


def _refusal(code: str, tables: Tables, **params: object) -> Refusal:
    return Refusal(code, tables.messages[code].text.format(**params), **params)

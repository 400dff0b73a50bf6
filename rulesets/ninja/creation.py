"""Creation steps that roll (rules §3.3, §3.5) and the generator of bosses (§8). Faces are kept as evidence.

`name` 2×D66 · `abilities` 4D6 · `jitsu`, `start_skill`, `start_item`, `cyberware` D6 · `knowledge`, `background` D66 ·
`random` everything a random ninja rolls, in the order of the rules · `boss` an enemy ninja of `npc.level`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulesets.engine.dice import DiceSource
from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.ninja.boss import boss
from rulesets.ninja.ladder import SIDES
from rulesets.ninja.rows import ABILITIES
from rulesets.ninja.sheet import Sheet
from rulesets.ninja.tables import Ninja
from rulesets.protocol import Created, Fields, Refusal

FREE_CHOICE = 6


class Rolled:
    """Dice of one step: every face in order, what they change, what is said of them."""

    def __init__(self, fields: Fields, tables: Ninja, dice: DiceSource) -> None:
        self.fields, self.tables, self._dice = dict(fields), tables, dice
        self.faces: list[int] = []
        self.changes: dict[str, Value] = {}
        self.texts: list[Text] = []
        self.steps: list[dict[str, Any]] = []

    @property
    def sheet(self) -> Sheet:
        """The sheet with what was rolled so far."""
        return Sheet({**self.fields, **self.changes}, self.tables)

    def die(self) -> int:
        face = self._dice.roll(SIDES)
        self.faces.append(face)
        return face

    def d66(self) -> int:
        return 10 * self.die() + self.die()

    def put(self, step: str, faces: list[int], changes: Mapping[str, Value], text: Text) -> None:
        self.changes |= changes
        self.texts.append(text)
        self.steps.append({"step": step, "faces": faces, "changes": dict(changes)})

    def tell(self, step: str, label: str, faces: list[int], what: Text, changes: Mapping[str, Value]) -> None:
        shown = "".join(map(str, faces)) if len(faces) == 2 else ",".join(map(str, faces))
        kind = "D66" if len(faces) == 2 else "D6"
        words = self.tables.label("step_table")
        text = words.format(label=self.tables.label(label), dice=f"{kind}（{shown}）", what=what)
        self.put(step, faces, changes, text)


def create(step: str, fields: Fields, tables: Ninja, dice: DiceSource) -> Created:
    """Roll a step. Raises `Refusal` M01–M08, always before a die is thrown."""
    rolled = Rolled(fields, tables, dice)
    if step == "random":
        for each in _random_steps(rolled):
            each(rolled)
    elif step in STEPS:
        _refuse(step, rolled.sheet)
        STEPS[step](rolled)
    else:
        raise _refusal("M03", tables, step=step[:40])
    text = Text("／".join(text.ja for text in rolled.texts), "; ".join(text.en for text in rolled.texts))
    return Created(rolled.changes, tuple(rolled.faces), text, {"step": step, "rolls": rolled.steps})


def _refusal(code: str, tables: Ninja, **params: object) -> Refusal:
    return Refusal(code, tables.messages[code].text.format(**params), **params)


def _refuse(step: str, sheet: Sheet) -> None:
    """Steps that do not apply to this sheet or at this table."""
    tables, jitsu = sheet.tables, sheet.base.get("jitsu")
    code = ""
    if step in ("jitsu", "start_skill") and jitsu is None:
        code = "M01"
    elif step == "jitsu" and jitsu == 0:
        code = "M02"
    elif step == "start_skill" and jitsu:
        code = "M04"
    elif step in ("start_skill", "start_item") and sheet.gave_up_gifts:
        code = "M08"
    elif step == "background" and not tables.rule.background_enabled:
        code = "M05"
    elif step == "cyberware" and tables.rule.cyber_mode in ("choose", "none"):
        code = "M06"
    elif step == "boss" and not 1 <= (sheet.number("npc.level") or 0) <= 8:
        code = "M07"
    if code:
        raise _refusal(code, tables)


def _random_steps(rolled: Rolled) -> list[Callable[[Rolled], None]]:
    """A random ninja: abilities, jitsu or start skill, knowledge, item (§3.3); name and the rest only when asked."""

    def gift(each: Rolled) -> None:
        (_jitsu if each.sheet.base["jitsu"] else _start_skill)(each)

    return [_abilities, gift, _knowledge, _start_item]


def _name(rolled: Rolled) -> None:
    """A half of table A and a half of table B (§3.5.1)."""
    rows = rolled.tables.name_parts.values()
    first, second = rolled.d66(), rolled.d66()
    one = next(row for row in rows if row.table == "a" and row.roll == first)
    other = next(row for row in rows if row.table == "b" and row.roll == second)
    name = Text(f"{one.name.ja}{other.name.ja}", f"{one.name.en} {other.name.en}")
    label = rolled.tables.label("step_table")
    text = label.format(label=rolled.tables.label("name"), dice=f"D66（{first}・{second}）", what=name)
    rolled.put("name", [first, second], {"name": name.ja}, text)


def _abilities(rolled: Rolled) -> None:
    faces = [rolled.die() for _ in range(4)]
    values = (*faces[:3], max(0, faces[3] - 3))
    changes: dict[str, Value] = {"method": "random"}
    changes |= {f"abilities.{ability}": value for ability, value in zip(ABILITIES, values, strict=True)}
    changes |= {f"dice.{n}": face for n, face in enumerate(faces, 1)}
    # a character has a jitsu or a start skill, never both
    changes |= {"start_skill": None} if values[3] else {"jitsu_kind": None}
    shown = "・".join(map(str, faces))
    rolled.put("abilities", faces, changes, rolled.tables.label("step_abilities").format(dice=shown))


def _jitsu(rolled: Rolled) -> None:
    face = rolled.die()
    if face == FREE_CHOICE:
        text = rolled.tables.label("step_free").format(label=rolled.tables.label("jitsu_kind"))
        rolled.put("jitsu", [face], {"rolls.jitsu": face}, text)
        return
    row = next(row for row in rolled.tables.jitsu.values() if row.roll == face)
    changes: dict[str, Value] = {"jitsu_kind": row.id, "rolls.jitsu": face, "start_skill": None}
    rolled.tell("jitsu", "jitsu_kind", [face], row.name, changes)


def _start_skill(rolled: Rolled) -> None:
    face = rolled.die()
    row = rolled.tables.start_skills[face]
    changes: dict[str, Value] = {"start_skill": row.id, "rolls.start_skill": face, "jitsu_kind": None}
    rolled.tell("start_skill", "start_skill", [face], row.name, changes)


def _start_item(rolled: Rolled) -> None:
    face = rolled.die()
    row = rolled.tables.start_items[face]
    rolled.tell("start_item", "start_item", [face], row.name, {"start_item": row.id, "rolls.start_item": face})


def _knowledge(rolled: Rolled) -> None:
    roll = rolled.d66()
    row = next(row for row in rolled.tables.knowledge.values() if row.roll == roll)
    changes: dict[str, Value] = {"knowledge.1": row.id, "rolls.knowledge": roll}
    rolled.tell("knowledge", "knowledge_step", [roll // 10, roll % 10], row.name, changes)


def _cyberware(rolled: Rolled) -> None:
    """One piece on the loan; 戦闘用バイオサイバネ takes item and skill away (§3.3)."""
    face = rolled.die()
    row = rolled.tables.start_cyberware[face]
    before = next((piece for piece in rolled.sheet.pieces if piece.origin == "start"), None)
    numbers = rolled.sheet.rows("cyberware")
    n = int(before.path.split(".")[1]) if before is not None else max(numbers, default=0) + 1
    changes: dict[str, Value] = dict.fromkeys(key for key in rolled.sheet.fields if key.startswith(f"cyberware.{n}."))
    changes |= {f"cyberware.{n}.id": row.id, f"cyberware.{n}.origin": "start", "rolls.cyberware": face}
    changes["loan"] = rolled.tables.rule.loan_repay
    if row.takes_start_gifts:
        changes |= {"start_item": None, "rolls.start_item": None}
        if not rolled.sheet.base.get("jitsu"):
            changes |= {"start_skill": None, "rolls.start_skill": None}
    rolled.tell("cyberware", "cyberware_step", [face], row.name, changes)


def _background(rolled: Rolled) -> None:
    """The 生い立ち with the money, fame and DKK it starts with; its skills are chosen afterwards (§3.5.8)."""
    roll = rolled.d66()
    row = next(row for row in rolled.tables.backgrounds.values() if row.roll == roll)
    changes: dict[str, Value] = {"background": row.id, "rolls.background": roll, "money": row.money, "dkk": row.dkk}
    changes["fame"] = rolled.tables.rule.start_fame + row.fame
    changes |= {key: None for key, _ in rolled.sheet.background_lore}
    rolled.tell("background", "background", [roll // 10, roll % 10], row.name, changes)


def _boss(rolled: Rolled) -> None:
    found = boss(rolled.sheet.number("npc.level") or 1, rolled.die)
    shown = same(",".join(map(str, found.faces)))
    text = rolled.tables.label("step_boss").format(n=found.level, dice=shown)
    rolled.put("boss", found.faces, found.changes, text)


STEPS: Mapping[str, Callable[[Rolled], None]] = {
    "name": _name,
    "abilities": _abilities,
    "jitsu": _jitsu,
    "start_skill": _start_skill,
    "knowledge": _knowledge,
    "start_item": _start_item,
    "cyberware": _cyberware,
    "background": _background,
    "boss": _boss,
}

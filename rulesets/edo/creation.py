"""Creation steps that roll. Edo has one: the cash carried at the start (rules §4.8)."""

from __future__ import annotations

from rulesets.edo.rows import Status
from rulesets.edo.sheet import Sheet
from rulesets.edo.tables import Edo
from rulesets.engine.dice import DiceSource
from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Created, Fields, Refusal

SIDES = 6


def create(step: str, fields: Fields, tables: Edo, dice: DiceSource) -> Created:
    """Roll a step. Raises `Refusal` M01 (no status), M02 (a status without a roll), M03 (no such step)."""
    if step != "money":
        raise _refusal("M03", tables, step=step)
    sheet = Sheet(fields, tables)
    typed = sheet.text("status")
    status = tables.statuses.get(typed)
    if status is None and not typed:
        raise _refusal("M01", tables)
    if status is None or not status.money_dice:
        raise _refusal("M02", tables, status=same(typed) if status is None else status.name)
    faces = tuple(dice.roll(SIDES) for _ in range(status.money_dice))
    changes: dict[str, Value] = dict.fromkeys(sheet.money_dice)
    changes |= {f"money_dice.{n}": face for n, face in enumerate(faces, 1)}
    return Created(changes, faces, _told(status, faces), _record(status, faces))


def _told(status: Status, faces: tuple[int, ...]) -> Text:
    """`所持金 2D6（3＋4）×100＝700文`."""
    amount = sum(faces) * status.money_times
    ja, en = "＋".join(map(str, faces)), " + ".join(map(str, faces))
    dice = f"{status.money_dice}D6"
    return Text(
        f"所持金 {dice}（{ja}）×{status.money_times}＝{amount}文",
        f"cash {dice} ({en}) × {status.money_times} = {amount} mon",
    )


def _record(status: Status, faces: tuple[int, ...]) -> dict[str, object]:
    return {
        "step": "money",
        "status": status.id,
        "dice": f"{status.money_dice}D6",
        "faces": list(faces),
        "times": status.money_times,
        "mon": sum(faces) * status.money_times,
    }


def _refusal(code: str, tables: Edo, **params: object) -> Refusal:
    return Refusal(code, tables.messages[code].text.format(**params), **params)

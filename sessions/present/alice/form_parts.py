"""What the forms of アリス are made of: the register, and questions that many of them ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from sessions.present.alice.stage import SUITS, Row, Stage
from sessions.present.forms import Choice, Control, Sheet

Given = Mapping[str, str]
Make = Callable[[Stage, Given], Sheet | None]
FORMS: dict[str, Make] = {}


def register(name: str) -> Callable[[Make], Make]:
    """The form opened by this name; it gives None when it is not for this viewer, or not now."""

    def keep(make: Make) -> Make:
        FORMS[name] = make
        return make

    return keep


def own(stage: Stage, given: Given) -> Row | None:
    """Whoever a form acts for: named in the link, else the viewer's first; None for somebody else's."""
    named = given.get("actor") or given.get("field.actor") or ""
    row = stage.actors.get(named) if named else next(iter(stage.mine), None)
    return row if row is not None and (row["mine"] or stage.gm) else None


def anyone(stage: Stage, given: Given) -> Row | None:
    """Whoever a GM's form is about; None for everybody else."""
    named = given.get("actor") or given.get("field.actor") or ""
    return stage.actors.get(named) if stage.gm else None


def suits(stage: Stage, name: str, label: str, first: str = "", *, free: str = "") -> Control:
    choices = [Choice(suit, stage.suit_name(suit), checked=suit == first) for suit in SUITS]
    if free:
        choices.insert(0, Choice("", free, checked=not first))
    return Control("seg", name, label, choices=choices)


def whom(stage: Stage, row: Row, name: str, label: str, *, pcs: bool = False) -> Control:
    rows = [one for one in (stage.pcs if pcs else stage.on_stage) if one["id"] != row["id"]]
    return Control("select", name, label, choices=[Choice(one["id"], one["name"]) for one in rows], required=True)


def title(row: Row, what: str) -> str:
    return _("%(name)s　%(what)s") % {"name": row["name"], "what": what}


def deed_text(stage: Stage, row: Row, label: str, placeholder: str) -> Control:
    return Control("text", "field.text", label, required=True, placeholder=placeholder)

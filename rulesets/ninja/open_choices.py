"""What is not decided yet and no error: blanks of the builder that the owner or the GM still fills (rules §3.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulesets.engine.problems import OpenChoice
from rulesets.ninja.subject import Subject

_OPTIONAL = (
    ("jitsu_kind", "hint_jitsu"),
    ("start_skill", "hint_skill"),
    ("knowledge.1", "hint_knowledge"),
    ("start_item", "hint_item"),
)


def open_choices(subject: Subject, wrong: Collection[str]) -> tuple[OpenChoice, ...]:
    """Open fields in the order of creation; `wrong` are the paths that problems name already."""
    return tuple(_open(subject, wrong))


def _open(subject: Subject, wrong: Collection[str]) -> Iterator[OpenChoice]:
    if subject.npc:
        blank = [field for field in ("npc.hp", "npc.mp", "npc.attack", "npc.initiative") if field in wrong]
        yield from (OpenChoice(field, subject.label(field), None, "gm") for field in blank)
        return
    jitsu = subject.sheet.base.get("jitsu", 0)
    for key, hint in _OPTIONAL:
        if key in subject.sheet.fields or (key == "jitsu_kind" and jitsu < 1) or (key == "start_skill" and jitsu >= 1):
            continue
        if subject.sheet.gave_up_gifts and key in ("start_skill", "start_item"):
            continue
        yield OpenChoice(key, subject.label(key), subject.tables.label(hint))

"""What spells are cast on, and how much it believes in magic (rules §7.5–§7.7)."""

from __future__ import annotations

from dataclasses import replace

from rulesets.engine.play import GM
from rulesets.engine.text import Text
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.reading import Asked, flag, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event
from rulesets.witch.play.state import State, Target
from rulesets.witch.play.words import words

event("target", shows=("id", "name", "category", "belief"))
event("target.removed", shows=("id",))

BELIEF_MIN, BELIEF_MAX = -99, 99
_ROW_OF = {"witch": "witch", "cat": "witch_cat"}


def find(state: State, target_id: str) -> Target | None:
    """A target by its id, or a character as one: witches and cats have their own rows. None for nothing of that id.

    A belief that the group has forgotten is open again (§7.7).
    """
    found = state.targets.get(target_id)
    if found is not None:
        return replace(found, belief=None, rolled=None) if forgotten(state, found) else found
    one = state.actors.get(target_id)
    return Target(one.id, one.name, _ROW_OF["cat" if one.is_cat else "witch"]) if one is not None else None


def forgotten(state: State, target: Target) -> bool:
    """Whether a belief was rolled too long ago for the group's memory."""
    memory = state.tables.rule.belief_memory
    past = memory == "never" or (memory == "scene" and target.rolled != state.scene.number)
    return target.rolled is not None and past


def target_of(desk: Desk, target_id: str) -> Target:
    """A target that the issuer may know of. Refuses P18."""
    found = find(desk.state, target_id)
    if found is None or (not desk.actor.is_gm and (found.secret or hidden(desk, found.id))):
        raise refused("P18")
    return found


def called(desk: Desk, target: Target) -> str | Text:
    """The name of a target for everybody: who is hidden, or the GM's secret, stays nameless."""
    return words("name.somebody") if target.secret or hidden(desk, target.id) else target.name


def beliefs_kept(desk: Desk, target: Target, value: int) -> dict[str, dict[str, Target]]:
    """The target with the belief that was rolled for it, as long as the group remembers (§7.7)."""
    row = desk.tables.targets[target.category]
    if target.belief is not None or not row.dice or desk.tables.rule.belief_memory == "never":
        return {}
    return {"targets": {target.id: replace(target, belief=value, rolled=desk.state.scene.number)}}


@command(
    "target.set",
    text("id"),
    text("name"),
    text("category"),
    number("belief", BELIEF_MIN, BELIEF_MAX, required=False),
    flag("secret"),
    roles=GM_ONLY,
    rule="§7.7",
)
def set_target(desk: Desk, asked: Asked) -> None:
    """Add a thing, place or being to cast on, or change one (a character by its id): its row, or its belief by hand."""
    known = asked.text("id")
    if known:
        before = target_of(desk, known)
    else:
        if not asked.text("name") or not asked.text("category"):
            raise refused("P21", label=words("field.name"))
        before = Target(desk.new_id("t"), asked.text("name"), "undecided")
    category = asked.text("category") or before.category
    if category not in desk.tables.targets:
        raise refused("P23", label=words("field.category"), value=category[:40])
    belief = asked.number("belief")
    same_row = category == before.category
    after = Target(
        before.id,
        asked.text("name") or before.name,
        category,
        belief if belief is not None else before.belief if same_row else None,
        before.rolled if belief is None and same_row else None,
        asked.flag("secret"),
    )
    said = words("log.target", name=after.name, row=desk.tables.targets[category].name)
    desk.emit(
        "target",
        said,
        put={"targets": {after.id: after}},
        audience=GM if after.secret or hidden(desk, after.id) else None,
        id=after.id,
        name=after.name,
        category=category,
        belief=after.belief,
    )


def hidden(desk: Desk, target_id: str) -> bool:
    one = desk.state.actors.get(target_id)
    return one is not None and one.hidden


@command("target.remove", text("id", required=True), roles=GM_ONLY, codes=("P46",), rule="§7.7", retractable=True)
def remove(desk: Desk, asked: Asked) -> None:
    """Take a target off the list; a character's belief is forgotten."""
    found = desk.state.targets.get(asked.text("id"))
    if found is None:
        raise refused("P46")
    said = words("log.target_removed", name=found.name)
    desk.emit(
        "target.removed", said, put={"targets": {found.id: None}}, audience=GM if found.secret else None, id=found.id
    )

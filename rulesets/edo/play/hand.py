"""What the GM sets by hand with a reason; wounds and healing with one tap (rules §10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulesets.edo.play import reading
from rulesets.edo.play.daily import able_again, life_after, serious_care
from rulesets.edo.play.damage import hurt
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.exchange import advance
from rulesets.edo.play.flow import Flow
from rulesets.edo.play.holds import freed
from rulesets.edo.play.masks import public
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import ActorState, ArmState, Care, Exchange, Life
from rulesets.edo.play.words import reason, words
from rulesets.edo.rows import Ranged
from rulesets.engine.outcome import Change, Outcome, Reason
from rulesets.engine.text import same

event("set", shows=("key", "reason"))
event("healed")
event("peril")

Maker = Callable[[ActorState, Any], dict[str, Any]]


def _plain(name: str) -> Maker:
    return lambda actor, value: {name: value}


def _need(name: str) -> Maker:
    return lambda actor, value: {"needs": replace(actor.needs, **{name: value})}


def _care(name: str) -> Maker:
    return lambda actor, value: {"care": replace(actor.care, **{name: value})}


_NUMBERS: dict[str, tuple[int, int, Maker]] = {
    "kp": (0, 99, _plain("kp")),
    "wounds": (0, 99, _plain("wounds")),
    "hunger_loss": (0, 99, _plain("hunger_loss")),
    "money_mon": (0, 99_999_999, _plain("money_mon")),
    "hours_awake": (0, 200, _need("hours_awake")),
    "meal_miss_days": (0, 99, _need("meal_miss_days")),
    "no_food_days": (0, 99, _need("no_food_days")),
    "no_water_days": (0, 99, _need("no_water_days")),
    "nurse_level": (0, 15, _care("nurse_level")),
    "medicine": (-20, 20, _care("medicine")),
}
_SWITCHES: dict[str, Maker] = {
    "fatigued": _need("fatigued"),
    "short_sleep": _need("short_sleep"),
    "asleep": _need("asleep"),
    "cared_today": _care("cared_today"),
    "recovery_due": _care("due"),
    "serious": _care("serious"),
    "unaware": _plain("unaware"),
    "ally": _plain("ally"),
    "kp_rolled": _plain("kp_rolled"),
}
_WORDS: dict[str, tuple[tuple[str, ...], Maker]] = {
    "life": (
        ("alive", "unconscious", "incapacitated", "helpless", "seeming_dead", "dead"),
        lambda actor, value: {"life": Life(value, days=int(value == "helpless"))},
    ),
    "posture": (("standing", "crouching", "prone"), _plain("posture")),
    "first_aid": (("none", "ok", "bad"), _care("first_aid")),
}
_ARMS: dict[str, tuple[int, int]] = {
    "arm_ready": (0, 1),
    "arm_broken": (0, 1),
    "arm_progress": (0, 99),
    "arm_ammo": (-1, 999),
}
KEYS = (*_NUMBERS, *_SWITCHES, *_WORDS, *_ARMS)


@command(
    "actor.set",
    reading.actor(),
    reading.choice("key", *KEYS),
    reading.number("number", -20, 99_999_999, required=False),
    reading.flag("on"),
    reading.text("word"),
    reading.text("arm"),
    reading.text("reason", required=True),
    roles=GM_ONLY,
    codes=("P35", "P46"),
    rule="§10",
)
def set_by_hand(desk: Desk, asked: Asked) -> None:
    """Set one value of an actor; the reason is in the log. Numbers keep their bounds."""
    actor = desk.seen(asked.text("actor"))
    key = asked.text("key")
    values, before, after = _values(desk, asked, actor, key)
    if all(getattr(actor, name) == value for name, value in values.items()):
        raise refused("P46")
    label = words(f"choice.key.{key}")
    change = Change(actor.id, _shown_key(key), before, after, Reason(same(asked.text("reason")), "§10"))
    outcome = Outcome("set", Reason(label, "§10"), changes=(change,))
    said = words("log.set", name=actor.name, key=label, reason=asked.text("reason"))
    desk.emit(
        "set",
        said,
        actor=actor.id,
        outcome=outcome,
        public=public(desk.state, outcome),
        actors=_freed(desk, actor, values),
        key=key,
        reason=asked.text("reason"),
    )


def _freed(desk: Desk, actor: ActorState, values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The values, and no grip any more for whoever cannot act."""
    life: Life = values.get("life", actor.life)
    return {actor.id: values} if life.able else freed(desk.state, actor.id, **values)


def _shown_key(key: str) -> str:
    return key.removeprefix("arm_")


def _values(desk: Desk, asked: Asked, actor: ActorState, key: str) -> tuple[dict[str, Any], Any, Any]:
    if key in _NUMBERS:
        return _number(desk, asked, actor, key)
    if key in _SWITCHES:
        on = asked.flag("on")
        values = _SWITCHES[key](actor, on)
        if key == "serious" and on != actor.care.serious:
            values = {"care": serious_care(desk.tables, actor.care, on, desk.state.clock.hours)}
        return values, not on, on
    if key in _WORDS:
        allowed, maker = _WORDS[key]
        if asked.text("word") not in allowed:
            raise refused("P23", label=words("field.word"), value=asked.text("word")[:40])
        values = maker(actor, asked.text("word"))
        if asked.text("word") == "alive":
            values |= able_again(desk.tables, actor)
        return values, actor.life.state if key == "life" else None, asked.text("word")
    return _arm(desk, asked, actor, key)


def _number(desk: Desk, asked: Asked, actor: ActorState, key: str) -> tuple[dict[str, Any], Any, Any]:
    low, high, maker = _NUMBERS[key]
    if key == "kp":
        high = desk.person(actor.id).kp_limit
    if key == "hunger_loss":
        high = max(0, desk.person(actor.id).endurance_max - actor.wounds)
    number = asked.needed("number")
    if not low <= number <= high:
        raise refused("P20", label=words("field.number"), min=low, max=high)
    values = maker(actor, number)
    if key in ("hunger_loss", "wounds"):
        values |= life_after(desk.tables, replace(actor, **values), key)
    if key == "wounds" and not number:
        values["care"] = Care()
    before = getattr(actor, key, None)
    if before is None:
        before = getattr(actor.needs, key, None) if hasattr(actor.needs, key) else getattr(actor.care, key, None)
    return values, before, number


def _arm(desk: Desk, asked: Asked, actor: ActorState, key: str) -> tuple[dict[str, Any], Any, Any]:
    state = actor.arms.get(asked.text("arm"))
    if state is None:
        raise refused("P35", why=words("why.no_weapon"))
    low, high = _ARMS[key]
    if key == "arm_progress":
        arm = desk.person(actor.id).arms[asked.text("arm")]
        high = (arm.ready_rounds or arm.ready_actions) if isinstance(arm, Ranged) else 0
    number = asked.needed("number")
    if not low <= number <= high:
        raise refused("P20", label=words("field.number"), min=low, max=high)
    name = key.removeprefix("arm_")
    before = getattr(state, name)
    value: Any = bool(number) if name in ("ready", "broken") else None if name == "ammo" and number < 0 else number
    after: ArmState = replace(state, **{name: value})
    return {"arms": {**actor.arms, asked.text("arm"): after}}, before, value


# ---------------------------------------------------------------- one tap


@command(
    "actor.hurt",
    reading.actor(),
    reading.number("amount", 1, 99),
    reading.text("reason", required=True),
    roles=GM_ONLY,
    codes=("P28", "P29"),
    rule="§7.4",
)
def hurt_by_hand(desk: Desk, asked: Asked) -> None:
    """A wound outside an exchange (a fall, a fire). Death may be averted as in a fight."""
    actor = desk.seen(asked.text("actor"))
    if desk.state.exchange is not None or desk.state.contest is not None:
        waiting = desk.state.exchange or desk.state.contest
        raise refused("P29", name=desk.state.actors[waiting.asked].name if waiting is not None else "")
    if actor.life.gone:
        raise refused("P28", name=actor.name, state=words(f"life.{actor.life.state}"))
    flow = Flow(desk, Exchange(desk.new_id("x"), (), phase="end", since=desk.command.at))
    amount = asked.needed("amount")
    outcome = Outcome("damage", Reason(same(asked.text("reason")), "§7.9"), total=amount)
    said = words("log.hurt", name=actor.name, n=amount, reason=asked.text("reason"))
    hurt(flow, actor.id, amount, outcome, said)
    advance(flow)


@command(
    "actor.heal",
    reading.actor(),
    reading.number("amount", 1, 99),
    reading.text("reason", required=True),
    roles=GM_ONLY,
    codes=("P46",),
    rule="§8.2",
)
def heal_by_hand(desk: Desk, asked: Asked) -> None:
    """Take wounds away."""
    actor = desk.seen(asked.text("actor"))
    person = desk.person(actor.id)
    amount = min(asked.needed("amount"), actor.wounds)
    if not amount:
        raise refused("P46")
    values: dict[str, Any] = {"wounds": actor.wounds - amount}
    if not values["wounds"]:
        values["care"] = Care()
    change = Change(actor.id, "endurance", person.endurance, person.endurance + amount, reason("change.heal", "§8.2"))
    outcome = Outcome("healed", Reason(same(asked.text("reason")), "§8.2"), changes=(change,))
    said = words("log.healed", name=actor.name, n=amount, reason=asked.text("reason"))
    masked = public(desk.state, outcome)
    desk.emit("healed", said, actor=actor.id, outcome=outcome, public=masked, actors={actor.id: values})

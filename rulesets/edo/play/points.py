"""活劇点 by command: extra actions, coincidences, the GM's orders and leave (rules §6.3, §6.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.edo.play import reading
from rulesets.edo.play.acting import able
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.kp import cost, must, spent, unselfish
from rulesets.edo.play.masks import public
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import Reply, Wish
from rulesets.edo.play.words import reason, words
from rulesets.engine.outcome import Outcome

event("kp", shows=("use", "points", "reason"))
event("permission", shows=("allowed",))


@command(
    "kp.extra",
    reading.actor(),
    reading.choice("action", "move", "attack", "defence"),
    reading.flag("selfish"),
    codes=("P01", "P03", "P14", "P26", "P27", "P47"),
    rule="§6.3",
    retractable=True,
)
def extra(desk: Desk, asked: Asked) -> None:
    """Buy one more move, attack or defence for this round."""
    actor = desk.own(asked)
    able(desk, actor)
    if desk.state.fight is None:
        raise refused("P26")
    if asked.text("action") == "attack" and actor.round.reloading:
        desk.refuse("P47")
    person = desk.person(actor.id)
    price = must(desk, person, "extra_action", selfish=asked.flag("selfish"))
    name = {"move": "bought_moves", "attack": "bought_attacks", "defence": "bought_defences"}[asked.text("action")]
    use = replace(actor.round, **{name: getattr(actor.round, name) + 1})
    values, change = spent(person, price, "use.extra_action")
    said = words("log.extra", name=actor.name, action=words(f"choice.action.{asked.text('action')}"))
    outcome = Outcome("kp", reason("use.extra_action", "§6.3"), changes=(change,))
    _spend(desk, actor.id, said, outcome, {**values, "round": use}, "extra_action", price)


def _spend(
    desk: Desk, who: str, said: Any, outcome: Outcome, values: dict[str, Any], use: str, points: int, **world: Any
) -> None:
    masked = public(desk.state, outcome)
    desk.emit(
        "kp", said, actor=who, outcome=outcome, public=masked, actors={who: values}, world=world, use=use, points=points
    )


# ---------------------------------------------------------------- coincidence


@command(
    "coincidence.propose",
    reading.actor(),
    reading.text("text", required=True),
    reading.flag("selfish"),
    codes=("P03", "P14"),
    rule="§6.3",
    retractable=True,
)
def propose(desk: Desk, asked: Asked) -> None:
    """A convenient accident, in the player's words; the GM names the price."""
    actor = desk.own(asked)
    person = desk.person(actor.id)
    if person.mook:
        desk.refuse("P03")
    unselfish(desk, person, asked.flag("selfish"))
    wish = Wish(
        desk.new_id("w"), "coincidence", actor.id, asked.text("text"), selfish=asked.flag("selfish"), at=desk.command.at
    )
    said = words("log.coincidence", name=actor.name, text=wish.text)
    world = {"wishes": {**desk.state.wishes, wish.id: wish}}
    desk.emit("wish", said, actor=actor.id, world=world, wish=wish.id, note=wish.text, selfish=wish.selfish)


def _wish(desk: Desk, asked: Asked, *statuses: str) -> Wish:
    found = desk.state.wishes.get(asked.text("wish"))
    if found is None or found.kind != "coincidence" or found.status not in statuses:
        raise refused("P52")
    return found


@command(
    "coincidence.price",
    reading.text("wish", required=True),
    reading.number("points", 0, 20, required=False),
    reading.flag("refuse"),
    roles=GM_ONLY,
    codes=("P52",),
    rule="§6.3",
)
def price(desk: Desk, asked: Asked) -> None:
    """The GM's price, or a refusal."""
    wish = _wish(desk, asked, "open", "priced")
    if asked.flag("refuse"):
        after = replace(wish, status="refused")
        said = words("log.coincidence_refused", name=desk.state.actors[wish.who].name)
    else:
        points = asked.needed("points")
        after = replace(wish, status="priced", points=points)
        said = words("log.coincidence_priced", name=desk.state.actors[wish.who].name, n=points)
    world = {"wishes": {**desk.state.wishes, wish.id: after}}
    desk.emit(
        "wish.answered", said, actor=wish.who, world=world, wish=wish.id, status=after.status, points=after.points
    )


@command(
    "coincidence.confirm",
    reading.text("wish", required=True),
    reading.flag("refuse"),
    codes=("P01", "P14", "P52"),
    rule="§6.3",
    retractable=True,
)
def confirm(desk: Desk, asked: Asked) -> None:
    """Pay the price and let it happen, or leave it."""
    found = desk.state.wishes.get(asked.text("wish"))
    if found is None:
        raise refused("P52")
    actor = desk.check_own(desk.seen(found.who))
    wish = _wish(desk, asked, *(("open", "priced") if asked.flag("refuse") else ("priced",)))
    if asked.flag("refuse"):
        after = replace(wish, status="withdrawn")
        world = {"wishes": {**desk.state.wishes, wish.id: after}}
        said = words("log.coincidence_left", name=actor.name)
        desk.emit("wish.answered", said, actor=actor.id, world=world, wish=wish.id, status="withdrawn")
        return
    points = wish.points or 0
    person = desk.person(actor.id)
    if actor.kp < points:
        desk.refuse("P01", n=points, m=actor.kp)
    unselfish(desk, person, wish.selfish)
    values, change = spent(person, points, "use.coincidence")
    outcome = Outcome("kp", reason("use.coincidence", "§6.3"), changes=(change,) if points else ())
    wishes = {**desk.state.wishes, wish.id: replace(wish, status="done")}
    said = words("log.coincidence_done", name=actor.name, text=wish.text)
    _spend(desk, actor.id, said, outcome, values, "coincidence", points, wishes=wishes)


# ---------------------------------------------------------------- the GM's orders and leave (§6.4)


@command(
    "kp.force",
    reading.actor(),
    reading.number("points", 1, 20),
    reading.text("reason", required=True),
    reading.text("request"),
    roles=GM_ONLY,
    codes=("P01", "P39", "P49", "P52"),
    rule="§6.4",
)
def force(desk: Desk, asked: Asked) -> None:
    """Order a lead to spend points and behave as a hero; it cannot be refused. With a request: it succeeds."""
    actor = desk.seen(asked.text("actor"))
    person = desk.person(actor.id)
    if person.role.id != "lead":
        raise refused("P49")
    points = asked.needed("points")
    if actor.kp < points:
        if desk.tables.rule.forced_spend_shortage == "skip":
            raise refused("P01", n=points, m=actor.kp)
        points = actor.kp
    world: dict[str, Any] = {}
    if asked.text("request"):
        request = desk.state.requests.get(asked.text("request"))
        if request is None or not request.open or actor.id not in request.replies:
            raise refused("P52")
        if request.replies[actor.id].result:
            raise refused("P39")
        replies = {**request.replies, actor.id: Reply("success", "", request.difficulty)}
        done = replace(request, replies=replies, open=any(not reply.result for reply in replies.values()))
        world["requests"] = {**desk.state.requests, request.id: done}
    values, change = spent(person, points, "use.forced", "§6.4")
    outcome = Outcome("kp", reason("use.forced", "§6.4"), degree="success", changes=(change,))
    said = words("log.forced", name=actor.name, n=points, reason=asked.text("reason"))
    _spend(desk, actor.id, said, outcome, values, "forced", points, **world)


@command("kp.permit", reading.actor(), reading.flag("refuse"), roles=GM_ONLY, codes=("P46", "P49"), rule="§6.4")
def permit(desk: Desk, asked: Asked) -> None:
    """Allow a lead to spend points for selfish ends, or take the leave back (P14)."""
    actor = desk.seen(asked.text("actor"))
    if desk.person(actor.id).role.id != "lead":
        raise refused("P49")
    allowed = not asked.flag("refuse")
    if actor.permitted == allowed:
        raise refused("P46")
    said = words("log.permitted" if allowed else "log.not_permitted", name=actor.name)
    desk.emit("permission", said, actor=actor.id, actors={actor.id: {"permitted": allowed}}, allowed=allowed)


__all__ = ["cost", "extra", "force", "permit"]

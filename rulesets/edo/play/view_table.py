"""The exchange, opposed rolls, requests, wishes and kept rolls as a viewer may see them."""

from __future__ import annotations

from typing import Any

from rulesets.edo.play import contest as contests
from rulesets.edo.play.damage_roll import blow, distribution
from rulesets.edo.play.masks import public, secret
from rulesets.edo.play.modes import MODES
from rulesets.edo.play.odds import of_contest, of_option, person_of
from rulesets.edo.play.options import Option, options
from rulesets.edo.play.state import Check, Exchange, State, Strike
from rulesets.edo.play.views import may_answer, numbers, owns, part, sees_all, text, visible
from rulesets.edo.play.words import known, refusal, words
from rulesets.engine.outcome import Outcome
from rulesets.engine.play import Viewer


@part("exchange")
def _exchange(state: State, viewer: Viewer) -> dict[str, Any] | None:
    """The exchange under way; nothing of it for those who may not see one of its people."""
    found = state.exchange
    if found is None:
        return None
    concerned = {who for strike in found.strikes for who in (strike.attacker, strike.target)} | {found.asked} - {""}
    if any(who and not visible(state.actors[who], viewer) for who in concerned):
        return None
    return {
        "id": found.id,
        "phase": found.phase,
        "about": found.about,
        "asked": found.asked,
        "question": text(words(f"ask.{found.about}", name=state.actors[found.asked].name)) if found.asked else None,
        "since": found.since,
        "current": found.current,
        "strikes": [strike_view(state, strike, viewer) for strike in found.strikes],
        "options": _options(state, found, viewer),
        "queue": len(found.queue),
    }


def strike_view(state: State, strike: Strike, viewer: Viewer) -> dict[str, Any]:
    attacker = person_of(state, strike.attacker)
    return {
        "attacker": strike.attacker,
        "target": strike.target,
        "arm": text(attacker.arms[strike.arm].name),
        "mode": strike.mode,
        "counter": strike.counter,
        "first": strike.first,
        "drawn": strike.drawn,
        "distance": strike.shot.distance if strike.shot is not None else None,
        "far": strike.shot.far if strike.shot is not None else None,
        "hit": check_view(state, strike.hit, viewer, of="" if strike.shot is not None else strike.target),
        "riding": check_view(state, strike.riding, viewer),
        "defence": strike.defence,
        "defended": check_view(state, strike.defended, viewer),
        "after": check_view(state, strike.after, viewer, of=strike.target),
        "damage": strike.damage,
        "result": strike.result,
    }


def check_view(state: State, check: Check | None, viewer: Viewer, *, of: str = "") -> dict[str, Any] | None:
    """A roll with its outcome, masked where an NPC's numbers are the GM's alone."""
    if check is None or not viewer.sees(check.audience):
        return None
    outcome: dict[str, Any] = dict(check.outcome)
    hides = not sees_all(viewer) and (check.hides or secret(state, of))
    if not sees_all(viewer):
        masked = public(state, Outcome.from_json(check.outcome), of=of, hides=check.hides)
        outcome = masked.as_json() if masked is not None else outcome
    return {
        "id": check.id,
        "who": check.who,
        "what": check.what,
        "total": check.total,
        "success": check.success,
        "difficulty": None if hides else check.difficulty,
        "faces": list(check.faces),
        "settled": check.settled,
        "told": check.told,
        "outcome": outcome,
    }


# ---------------------------------------------------------------- options


def _options(state: State, exchange: Exchange, viewer: Viewer) -> list[dict[str, Any]]:
    """The answers, for whoever may give them; each with its price, its chances, or why it is closed."""
    if not may_answer(state, viewer):
        return []
    return [_option(state, exchange, option, viewer) for option in options(state)]


def _option(state: State, exchange: Exchange, option: Option, viewer: Viewer) -> dict[str, Any]:
    found: dict[str, Any] = {
        "answer": option.answer,
        "label": text(words(f"choice.answer.{option.answer}")),
        "arm": option.arm,
        "mode": option.mode,
        "way": option.way,
        "points": option.points,
        "open": option.open,
        "closed": closed(option),
        "odds": None,
    }
    if option.arm:
        found["arm_label"] = text(_arm_label(state, exchange, option))
    odds = of_option(state, option, viewer=viewer) if option.open else None
    if odds is not None:
        found["odds"] = odds.as_json()
    if option.plan is not None and _may_know(state, option, viewer):
        found["value"], found["difficulty"] = option.plan.value, option.plan.difficulty
        found["parts"] = [{"value": p.value, "label": text(p.reason.text)} for p in option.plan.against or ()]
    if option.answer == "none" and exchange.about == "defence":
        found["damage"] = damage_range(state, exchange.strike, viewer)
    return found


def _may_know(state: State, option: Option, viewer: Viewer) -> bool:
    exchange = state.exchange
    if exchange is None or exchange.about != "to_hit":
        return True
    return numbers(state.actors[exchange.strikes[0].target], viewer)


def _arm_label(state: State, exchange: Exchange, option: Option) -> Any:
    person = person_of(state, exchange.asked)
    if option.arm in person.arms:
        name = person.arms[option.arm].name
        usual = option.mode in ("", option.arm)
        return name if usual else words("arm.mode", weapon=name, mode=words(f"choice.mode.{option.mode}"))
    return person.means(option.arm).name


def closed(option: Option) -> dict[str, Any] | None:
    """Why an option is closed: the refusal it would meet."""
    if option.bar is None:
        return None
    params: dict[str, object] = dict(option.bar.params)
    for name, prefix in (("why", "why"), ("how", "how"), ("answer", "choice.answer")):
        if name in params and known(f"{prefix}.{params[name]}"):
            params[name] = words(f"{prefix}.{params[name]}")
    return {"code": option.bar.code, "text": text(refusal(option.bar.code, **params))}


def damage_range(state: State, strike: Strike, viewer: Viewer) -> dict[str, int] | None:
    """Least and most damage of a strike nobody stops, for those who may know the attacker's numbers."""
    if not numbers(state.actors[strike.attacker], viewer) or not MODES[strike.mode].damages:
        return None
    found = distribution(blow(person_of(state, strike.attacker), person_of(state, strike.target), strike))
    amounts = [amount for amount, _ in found.items()]
    return {"min": min(amounts), "max": max(amounts)}


@part("contest")
def _contest(state: State, viewer: Viewer) -> dict[str, Any] | None:
    found = state.contest
    if found is None or any(not visible(state.actors[side.who], viewer) for side in found.sides):
        return None
    mine = may_answer(state, viewer)
    return {
        "id": found.id,
        "asked": found.asked,
        "phase": found.phase,
        "since": found.since,
        "question": text(words("ask.contest", name=state.actors[found.asked].name)) if found.asked else None,
        "sides": [check_view(state, side, viewer) for side in found.sides],
        "options": [_contest_option(state, option, viewer) for option in contests.options(state)] if mine else [],
    }


def _contest_option(state: State, option: Option, viewer: Viewer) -> dict[str, Any]:
    odds = of_contest(state, option.answer, viewer) if option.open else None
    return {
        "odds": odds.as_json() if odds is not None else None,
        "answer": option.answer,
        "label": text(words(f"choice.answer.{option.answer}")),
        "points": option.points,
        "open": option.open,
        "closed": closed(option),
    }


# ---------------------------------------------------------------- requests, wishes, rolls


@part("requests")
def _requests(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    """What was asked for: open ones for all at the table, the others for the asked and the GM."""
    found = []
    for request in state.requests.values():
        asked = [state.actors[who] for who in request.replies]
        mine = [actor.id for actor in asked if owns(actor, viewer)]
        if any(not visible(a, viewer) for a in asked) or (request.secrecy != "open" and not mine):
            continue
        replies = {}
        for who, reply in request.replies.items():
            told = sees_all(viewer) or request.secrecy == "open" or (request.secrecy == "private" and who in mine)
            result = reply.result if told or not reply.result else "rolled"
            replies[who] = {"result": result, "total": reply.total if told else None}
        found.append(
            {
                "id": request.id,
                "what": request.what,
                "label": text(person_of(state, asked[0].id).means(request.what).name),
                "difficulty": request.difficulty if request.show_difficulty or sees_all(viewer) else None,
                "secrecy": request.secrecy,
                "text": request.text,
                "open": request.open,
                "replies": replies,
                "to_answer": [who for who in mine if request.open and not request.replies[who].result],
                "at": request.at,
            }
        )
    return found


@part("wishes")
def _wishes(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    found = []
    for wish in state.wishes.values():
        if visible(state.actors[wish.who], viewer):
            found.append(
                {
                    "id": wish.id,
                    "kind": wish.kind,
                    "who": wish.who,
                    "text": wish.text,
                    "what": wish.what,
                    "selfish": wish.selfish,
                    "points": wish.points,
                    "status": wish.status,
                    "mine": owns(state.actors[wish.who], viewer),
                    "at": wish.at,
                }
            )
    return found


@part("rolls")
def _rolls(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    """Kept rolls that matter still: failed ones that points may change, hidden ones the GM may open."""
    found = []
    for check in state.rolls.values():
        actor = state.actors[check.who]
        waits = not check.settled and check.success is False and owns(actor, viewer)
        hidden = sees_all(viewer) and check.audience != ("all",)
        view = check_view(state, check, viewer) if waits or hidden else None
        if view is not None:
            found.append({**view, "rescues": waits, "hidden": hidden})
    return found

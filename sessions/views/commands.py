"""Everything one can press at a table. Rights, state and rules are looked at behind the lock, in `actions`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from characters.actions.errors import ActionRefused
from characters.selectors.access import campaign_for
from sessions.actions import closing, counters, notes, nudging, parts, sessions, talk, undoing
from sessions.actions.commands import Done, odds_of
from sessions.actions.issuing import issue
from sessions.selectors.access import SessionAccess, session_for
from sessions.selectors.log import events_json
from sessions.views.answers import act, lang, refuse, see_other, sent, wants_json
from sessions.views.planning import plan_refused


@login_required
@require_POST
def session_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Plan a session; then its page."""
    access = campaign_for(request.user, slug)
    try:
        body = sent(request)
        made = sessions.plan_session(access=access, title=text(body, "title"), command_id=text(body, "command_id"))
    except ActionRefused as refused:
        return plan_refused(request, access, refused)
    if wants_json(request):
        url = reverse("session", args=[slug, made.number])
        return JsonResponse({"ok": True, "number": made.number, "url": url}, status=201)
    return see_other(session_for(request.user, slug, made.number))


@login_required
@require_POST
def part_new(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """Begin what the game plays before its tables; then its page."""
    access = campaign_for(request.user, slug)
    try:
        made = parts.open_part(access=access, part=part, command_id=text(sent(request), "command_id"))
    except ActionRefused as refused:
        return plan_refused(request, access, refused)
    if wants_json(request):
        url = reverse("session", args=[slug, made.number])
        return JsonResponse({"ok": True, "number": made.number, "url": url}, status=201)
    return see_other(session_for(request.user, slug, made.number))


@login_required
@require_POST
def session_edit(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    access = session_for(request.user, slug, number)

    def do() -> None:
        body = sent(request)
        sessions.edit_session(access=access, title=text(body, "title"), command_id=text(body, "command_id"))

    return act(request, access, do)


@login_required
@require_POST
def session_start(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    access = session_for(request.user, slug, number)

    def do() -> None:
        body = sent(request)
        cast, hidden = numbers(request, body, "cast"), numbers(request, body, "hidden")
        counts = {pk: count for pk in cast if (count := number_of(body, f"count.{pk}")) is not None}
        command_id = text(body, "command_id")
        sessions.start_session(access=access, cast=cast, hidden=hidden, counts=counts, command_id=command_id)

    return act(request, access, do)  # the page that follows is the table: nothing more need be said


@login_required
@require_POST
def session_command(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    """A command of the game. JSON: `{"data": {…}, "expected_step", "override", "command_id"}`; a form names the fields
    of `data` `field.<name>`. The answer holds what this person may see of the events."""
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        data = body.get("data", {})
        done = issue(
            access=access,
            name=name,
            data=data if isinstance(data, Mapping) else {},
            command_id=text(body, "command_id"),
            expected_step=number_of(body, "expected_step"),
            override=text(body, "override"),
        )
        return told(access, done)

    return act(request, access, do)


@login_required
@require_POST
def session_odds(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    """The exact chances of a command before it is issued; `odds` null when there is nothing to tell."""
    access = session_for(request.user, slug, number)
    try:
        body = sent(request)
        data = body.get("data", {})
        found = odds_of(access, name, data if isinstance(data, Mapping) else {})
    except ActionRefused as refused:
        return refuse(request, access, refused)
    facts = {"ok": True, "odds": found.as_json() if found is not None else None}
    return JsonResponse(facts, json_dumps_params={"ensure_ascii": False})


@login_required
@require_POST
def session_say(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A line of talk or of the dice box (`mode`: `say`, `roll` or, for both, `auto`)."""
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        mode = text(body, "mode") or "auto"
        if mode not in ("say", "roll", "auto"):
            raise ActionRefused(_("その送り方はありません。"), code="mode", field="mode", status=422)
        said = talk.say(
            access=access,
            text=text(body, "text"),
            speaker=text(body, "speaker"),
            mode=mode,  # type: ignore[arg-type]
            command_id=text(body, "command_id"),
        )
        return said.as_json()

    return act(request, access, do)


@login_required
@require_POST
def session_undo(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        done = undoing.undo(
            access=access,
            reason=text(body, "reason"),
            first=number_of(body, "first"),
            command_id=text(body, "command_id"),
        )
        return told(access, done)

    return act(request, access, do, done=_("取り消しました。"))


@login_required
@require_POST
def entry_open(request: HttpRequest, slug: str, number: int, seq: int) -> HttpResponse:
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        return told(access, undoing.open_entry(access=access, seq=seq, command_id=text(body, "command_id")))

    return act(request, access, do)


@login_required
@require_POST
def session_scene(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        done = sessions.set_scene(
            access=access, title=text(body, "title"), text=text(body, "text"), command_id=text(body, "command_id")
        )
        return told(access, done)

    return act(request, access, do)


@login_required
@require_POST
def session_evening(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """`do`: `start` or `end`."""
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        turn = {"start": sessions.start_evening, "end": sessions.end_evening}.get(text(body, "do"))
        if turn is None:
            raise unknown_press()
        return told(access, turn(access=access, command_id=text(body, "command_id")))

    return act(request, access, do)


@login_required
@require_POST
def session_cast(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """`do`: `join` (a character that is not here yet) or `refresh` (the newest cleared revision of one that is)."""
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        character, command_id = number_of(body, "character") or 0, text(body, "command_id")
        if text(body, "do") == "join":
            hidden = text(body, "hidden") in ("1", "on", "true")
            done = sessions.join_cast(access=access, character=character, hidden=hidden, command_id=command_id)
        elif text(body, "do") == "refresh":
            done = sessions.refresh_sheet(access=access, character=character, command_id=command_id)
        else:
            raise unknown_press()
        return told(access, done)

    return act(request, access, do)


@login_required
@require_POST
def session_nudge(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """`seat`: who is waited for, one or several."""
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        done = nudging.nudge(access=access, seats=numbers(request, body, "seat"), command_id=text(body, "command_id"))
        return told(access, done)

    return act(request, access, do, done=_("促しました。"))


@login_required
@require_POST
def session_counters(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Set up a clock: `title`, `size`, `shown`."""
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        done = counters.start_counter(
            access=access,
            title=text(body, "title"),
            size=number_of(body, "size"),
            shown=text(body, "shown") in ("1", "on", "true"),
            command_id=text(body, "command_id"),
        )
        return told(access, done)

    return act(request, access, do)


@login_required
@require_POST
def session_counter(request: HttpRequest, slug: str, number: int, counter: int) -> HttpResponse:
    """`do`: `step`, `back`, `show` or `remove`."""
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        turn = text(body, "do")
        if turn not in counters.TURNS:
            raise unknown_press()
        done = counters.turn_counter(
            access=access, counter=counter, turn=cast(counters.Turn, turn), command_id=text(body, "command_id")
        )
        return told(access, done)

    return act(request, access, do)


@login_required
@require_POST
def session_notes(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return _note(request, slug, number, None)


@login_required
@require_POST
def session_note(request: HttpRequest, slug: str, number: int, note: int) -> HttpResponse:
    """Change a note; `do=delete` throws it away."""
    return _note(request, slug, number, note)


def _note(request: HttpRequest, slug: str, number: int, note: int | None) -> HttpResponse:
    access = session_for(request.user, slug, number)

    def do() -> Mapping[str, Any]:
        body = sent(request)
        if note is not None and text(body, "do") == "delete":
            notes.delete_note(access=access, note=note, command_id=text(body, "command_id"))
            return {}
        kept = notes.save_note(
            access=access,
            note=note,
            title=text(body, "title"),
            text=text(body, "text"),
            visibility=text(body, "visibility") or None,
            base_version=number_of(body, "base_version"),
            command_id=text(body, "command_id"),
        )
        return {"note": kept.pk, "version": kept.version}

    return act(request, access, do)


@login_required
@require_POST
def session_closing(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """`do`: `ask` everybody what they take home, `play_on`, or `close` for ever."""
    access = session_for(request.user, slug, number)

    def do() -> None:
        body = sent(request)
        command_id, word = text(body, "command_id"), text(body, "do")
        if word == "close":
            closing.close_session(access=access, command_id=command_id)
        elif word in ("ask", "play_on"):
            closing.ask_closing(access=access, asked=word == "ask", command_id=command_id)
        else:
            raise unknown_press()

    return act(request, access, do)


@login_required
@require_POST
def session_carry(request: HttpRequest, slug: str, number: int, actor: str) -> HttpResponse:
    """The word on what a character takes home: `accept` 1 or 0."""
    access = session_for(request.user, slug, number)

    def do() -> None:
        body = sent(request)
        word = text(body, "accept")
        if word not in ("1", "0", "true", "false"):
            raise unknown_press()
        accept, seen = word in ("1", "true"), text(body, "seen")
        closing.decide_carry(access=access, actor=actor, accept=accept, seen=seen, command_id=text(body, "command_id"))

    return act(request, access, do)


# ---------------------------------------------------------------- reading what came


def told(access: SessionAccess, done: Done) -> dict[str, Any]:
    """What a script hears of a command: its numbers and what this person may see of its events."""
    events = events_json(access.session, access.viewer(lang()), done.first, done.last)
    return {**done.as_json(), "events": events}


def text(body: Mapping[str, Any], key: str) -> str:
    """A word of the body; numbers and yes/no as text, "" for anything else."""
    value = body.get(key)
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value) if isinstance(value, str | int) else ""


def number_of(body: Mapping[str, Any], key: str) -> int | None:
    """A whole number of the body. Raises ActionRefused (422) for anything else that is not empty."""
    typed = text(body, key).strip()
    if not typed:
        return None
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 16):
        raise ActionRefused(_("数で送ってください。"), code="number", field=key, status=422)
    return int(typed)


def numbers(request: HttpRequest, body: Mapping[str, Any], key: str) -> list[int]:
    """Whole numbers: a list in JSON, repeated fields of a form. Raises ActionRefused (422)."""
    values: Any = body.get(key) if request.content_type == "application/json" else request.POST.getlist(key)
    rows = values if isinstance(values, list) else []
    found = [number_of({key: value}, key) for value in rows]
    return [value for value in found if value is not None]


def unknown_press() -> ActionRefused:
    return ActionRefused(_("その操作はありません。"), code="unknown_command", field="do", status=422)

"""Rows of the log that the session itself tells: talk, dice of the box, scenes, evenings, who came, what was undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from rulesets.engine.text import Text
from sessions.kinds import COUNTER, NUDGE, OPENED, UNDONE, game_of
from sessions.present import Piece, entry_piece
from sessions.present.campaign import title_of
from sessions.selectors.log import Entry, entry_of
from sessions.selectors.table import TableView

SHOWN_DICE = 40


def entry(row: Entry, view: TableView) -> Piece | None:
    """The piece of a row; None for a kind that is no row."""
    make = _ROWS.get(row.kind)
    return make(row, view) if make is not None else None


def line(row: Entry, view: TableView) -> str:
    """The same row as plain text."""
    say = _LINES.get(row.kind)
    return say(row, view) if say is not None else ""


def opened_entry(row: Entry, view: TableView) -> Entry:
    """The entry that was told to everybody, as if it stood here."""
    data = row.data
    envelope = {"data": data["data"], "at": row.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), "actor": row.actor}
    return entry_of(row.seq, str(data["kind"]), envelope, view.facts.names, row.undone)


def both(words: Any, lang: str) -> str:
    """Stored words {ja, en} in one language; "" for anything else."""
    if isinstance(words, Text):
        return words.pick(lang)
    if isinstance(words, Mapping) and isinstance(words.get("ja"), str):
        return Text(words["ja"], str(words.get("en") or words["ja"])).pick(lang)
    return words if isinstance(words, str) else ""


# ---------------------------------------------------------------- pieces


def _scene(row: Entry, view: TableView) -> Piece:
    return Piece("sessions/entries/scene.html", {"title": line(row, view), "text": str(row.data.get("text", ""))})


def _said(row: Entry, view: TableView) -> Piece:
    return Piece("sessions/entries/said.html", {"speaker": speaker(row), "text": str(row.data.get("text", ""))})


def _rolled(row: Entry, view: TableView) -> Piece:
    roll = row.data["roll"]
    dice = [(int(sides), int(face)) for sides, face in roll["dice"]]
    facts = {
        "speaker": speaker(row),
        "read_as": str(roll["read_as"]),
        "comment": str(roll["comment"]),
        "text": both(roll["text"], view.lang),
        "dice": dice[:SHOWN_DICE],
        "more_dice": max(0, len(dice) - SHOWN_DICE),
        "secret": bool(roll["secret"]),
        "notices": [both(notice, view.lang) for notice in roll.get("notices", [])],
    }
    return Piece("sessions/entries/rolled.html", facts)


def _secretly(row: Entry, view: TableView) -> Piece:
    return Piece("sessions/entries/secretly.html", {"speaker": speaker(row)})


def _opened(row: Entry, view: TableView) -> Piece | None:
    inner = entry_piece(opened_entry(row, view), view)
    if inner is None:
        return None
    return Piece(inner.template, {**inner.context, "secret": False, "opened_by": row.by})


def _notice(row: Entry, view: TableView) -> Piece:
    return Piece("sessions/entries/notice.html", {"text": line(row, view)})


def _counter(row: Entry, view: TableView) -> Piece:
    hidden = not row.data.get("shown")
    return Piece("sessions/entries/notice.html", {"text": line(row, view), "secret": hidden, "gm_only": hidden})


def _nudge(row: Entry, view: TableView) -> Piece:
    """For whoever is waited for it is a call: their page says so the moment it comes."""
    called = view.viewer.seat_id in row.data.get("seats", ())
    return Piece("sessions/entries/notice.html", {"text": line(row, view), "nudge": called})


_ROWS: Mapping[str, Callable[[Entry, TableView], Piece | None]] = {
    "session.started": _scene,
    "session.closed": _scene,
    "evening.started": _scene,
    "evening.ended": _scene,
    "scene.set": _scene,
    "cast.joined": _notice,
    "sheet.refreshed": _notice,
    "talk.said": _said,
    "talk.rolled": _rolled,
    "talk.rolled_secretly": _secretly,
    OPENED: _opened,
    UNDONE: _notice,
    COUNTER: _counter,
    NUDGE: _nudge,
}


def speaker(row: Entry) -> str:
    """Whose words they are: the character's name, or the person's."""
    return str(row.data.get("speaker") or row.by)


# ---------------------------------------------------------------- lines of text


def _title(row: Entry, view: TableView) -> str:
    return str(row.data.get("title", ""))


def _started(row: Entry, view: TableView) -> str:
    if view.session.part:
        return _("「%(title)s」開始") % {"title": title_of(view.session, view.lang)}
    return _("第%(n)s回「%(title)s」開始") % {"n": row.data.get("number", ""), "title": row.data.get("title", "")}


def _evening(row: Entry, view: TableView) -> str:
    return _("第%(n)s夜、始まり") % {"n": row.data.get("number", "")}


def _evening_over(row: Entry, view: TableView) -> str:
    return _("第%(n)s夜、ここまで") % {"n": row.data.get("number", "")}


def _joined(row: Entry, view: TableView) -> str:
    return _("%(name)sが加わりました。") % {"name": row.data.get("name", "")}


def _refreshed(row: Entry, view: TableView) -> str:
    facts = {"name": row.data.get("name", ""), "n": row.data.get("revision", "")}
    return _("%(name)sを第%(n)s版にしました。") % facts


def _undone(row: Entry, view: TableView) -> str:
    reason = str(row.data.get("reason") or "")
    done = _("%(by)sが直前の操作を取り消しました。") % {"by": row.by}
    return f"{done}{_('理由：%(reason)s') % {'reason': reason}}" if reason else done


def _counted(row: Entry, view: TableView) -> str:
    facts = {"title": row.data.get("title", ""), "n": row.data.get("filled", ""), "m": row.data.get("size", "")}
    if row.data.get("did") == "step" and facts["n"] == facts["m"]:
        return _("時計「%(title)s」が満ちた（%(n)s／%(m)s）。") % facts
    words = {
        "new": _("時計「%(title)s」を置いた（%(n)s／%(m)s）。"),
        "back": _("時計「%(title)s」が戻った（%(n)s／%(m)s）。"),
        "show": _("時計「%(title)s」が明かされた（%(n)s／%(m)s）。"),
        "remove": _("時計「%(title)s」を片付けた（%(n)s／%(m)s）。"),
    }
    return words.get(str(row.data.get("did")), _("時計「%(title)s」が進んだ（%(n)s／%(m)s）。")) % facts


def _nudged(row: Entry, view: TableView) -> str:
    if view.viewer.seat_id in row.data.get("seats", ()):
        return _("皆があなたを待っています。")
    return _("%(names)sに返事を促しました。") % {"names": _("、").join(row.data.get("names", ()))}


def _talk(row: Entry, view: TableView) -> str:
    return str(row.data.get("text", ""))


def _roll(row: Entry, view: TableView) -> str:
    roll = row.data["roll"]
    return " ".join(part for part in (both(roll["text"], view.lang), str(roll["comment"])) if part)


def _roll_hidden(row: Entry, view: TableView) -> str:
    return _("ひそかにダイスを振りました。")


def _told_now(row: Entry, view: TableView) -> str:
    from sessions.present import presenter

    inner = opened_entry(row, view)
    told = presenter(inner.game).line(inner, view) if game_of(str(row.data["kind"])) else line(inner, view)
    return _("（明かした記録）%(line)s") % {"line": told}


_LINES: Mapping[str, Callable[[Entry, TableView], str]] = {
    "session.started": _started,
    "session.closed": lambda row, view: _("この回はここまで"),
    "evening.started": _evening,
    "evening.ended": _evening_over,
    "scene.set": _title,
    "cast.joined": _joined,
    "sheet.refreshed": _refreshed,
    "talk.said": _talk,
    "talk.rolled": _roll,
    "talk.rolled_secretly": _roll_hidden,
    OPENED: _told_now,
    UNDONE: _undone,
    COUNTER: _counted,
    NUDGE: _nudged,
}

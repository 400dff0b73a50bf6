"""The log as a file, through the same projection as the page, with numbers of its own.

JSON lines: a head `{"format": "takubiyori.log", "format_version": "1.0", …}`, then one line per entry. Entries are
numbered 1, 2 … so that gaps of the log do not show where something hidden is. `hash` is SHA-256 over the hash of the
line before and the line's own content: `first_altered` finds the first line that is not as it was written.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils import translation

from live.kinds import Viewer
from sessions.models import GameSession
from sessions.present import presenter, rows
from sessions.selectors.log import Entry, all_entries
from sessions.selectors.table import Facts, TableView, facts_of, place, table_view

FORMAT, FORMAT_VERSION = "takubiyori.log", "1.0"


def json_lines(session: GameSession, viewer: Viewer) -> Iterator[str]:
    """The lines of the JSON file, each with its line end."""
    facts = facts_of(session)
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "system": session.campaign.system,
        "session": {"number": session.number, "title": session.title, "state": session.state},
    }
    line, before = _sealed(head, "")
    yield line
    seqs: list[int] = []
    for entry in all_entries(session, viewer, facts.names):
        seqs.append(entry.seq)
        line, before = _sealed(_content(entry, seqs), before)
        yield line


def first_altered(lines: Iterable[str]) -> int | None:
    """The number (from 1) of the first line of a JSON file that was changed, put in or follows a missing one; None for
    a file as it was written. Never raises over what the lines hold."""
    before = ""
    for number, line in enumerate(lines, 1):
        try:
            content = json.loads(line)
            stated = content.pop("hash")
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            return number
        before = _hash(content, before)
        if stated != before:
            return number
    return None


def text_lines(session: GameSession, viewer: Viewer) -> Iterator[str]:
    """The log for people: time (UTC), who, what; taken-back entries are marked."""
    facts = facts_of(session)
    view = _view(facts, viewer)
    with translation.override(viewer.lang):
        head = translation.gettext("　").join((session.campaign.name, session.title))
        found = [_line(entry, view) for entry in all_entries(session, viewer, facts.names)]
    yield f"{head}\n\n"
    yield from found


def _line(entry: Entry, view: TableView) -> str:
    own = presenter(entry.game).line(entry, view) if entry.game else rows.line(entry, view)
    who = rows.speaker(entry)
    undone = translation.gettext("（取り消し）") if entry.undone else ""
    said = (
        "\n    ".join(own.splitlines()) if not entry.unreadable else translation.gettext("この記録は表示できません。")
    )
    colon = translation.gettext("：") if who else ""
    return f"{entry.at:%Y-%m-%d %H:%M} {who}{colon}{undone}{said}\n"


def _view(facts: Facts, viewer: Viewer) -> TableView:
    return table_view(facts, viewer, *place(facts.session))


def _content(entry: Entry, seqs: Sequence[int]) -> dict[str, Any]:
    """`seqs` are the numbers in the log of the lines so far, this one included."""
    content: dict[str, Any] = {
        "n": len(seqs),
        "at": entry.at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "by": entry.by,
        "kind": f"{entry.game}:{entry.kind}" if entry.game else entry.kind,
        "data": _renumbered(entry, seqs),
    }
    if entry.override:
        content["override"] = entry.override
    if entry.draw is not None:
        content["draw"] = entry.draw
    if entry.undone is not None:
        content["undone"] = {"by": entry.undone.by, "reason": entry.undone.reason}
    if entry.unreadable:
        content["unreadable"] = True
    return content


def _renumbered(entry: Entry, seqs: Sequence[int]) -> dict[str, Any]:
    """The data with numbers of the log turned into numbers of the file; those of hidden entries are left out."""
    data = dict(entry.data)
    if entry.kind == "event.undone":
        first, last = _lines(seqs, data.pop("first", None), data.pop("last", None))
        return data | ({"first": first, "last": last} if first <= last else {})
    if entry.kind == "entry.opened":
        of = data.pop("of", None)
        first, last = _lines(seqs, of, of)
        return data | ({"of": first} if first == last else {})
    return data


def _lines(seqs: Sequence[int], first: Any, last: Any) -> tuple[int, int]:
    """The first and last line of a stretch of the log; the first is larger when no line of the file is in it."""
    if not isinstance(first, int) or not isinstance(last, int):
        return 1, 0
    return bisect_left(seqs, first) + 1, bisect_right(seqs, last)


def _sealed(content: Mapping[str, Any], before: str) -> tuple[str, str]:
    seal = _hash(content, before)
    return json.dumps({**content, "hash": seal}, ensure_ascii=False) + "\n", seal


def _hash(content: Mapping[str, Any], before: str) -> str:
    body = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{before}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()

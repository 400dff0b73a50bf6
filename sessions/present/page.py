"""The page of a table and the fragments that keep it level: both drawn from the same pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from live.kinds import Fragment, Projected, Viewer
from sessions.kinds import MEMBERSHIP, UNDONE, game_of, is_told
from sessions.models import GameSession
from sessions.present import PLACES, Piece, draw_entry, draw_gone, draw_panel, parts, presenter
from sessions.projection import Envelope
from sessions.recent import Recent
from sessions.selectors.log import LogPage, entries_between, entry_of, log_page, undone_of
from sessions.selectors.state import remembered
from sessions.selectors.table import TableView, facts_at, place, table_view


@dataclass(frozen=True, slots=True)
class Page:
    """Everything on a table's page, drawn at number `view.seq`. `rows` are the log, newest first.

    `game_panels` and `own_panels` are the panels' HTML by name, `places` the game's by where they stand.
    """

    view: TableView
    game_panels: Mapping[str, str]
    own_panels: Mapping[str, str]
    places: Mapping[str, Sequence[str]]
    rows: Sequence[str]
    older: int | None


def draw_page(session: GameSession, viewer: Viewer, request: HttpRequest | None = None) -> Page:
    """The page of one viewer. Its number is read first: the stream may then repeat, but never skip."""
    seq, head = place(session)
    view = view_at(session, viewer, seq, head)
    own = {name: draw_panel(name, parts.panel(name, view, head), view, request) for name in parts.PANELS}
    pieces = game_panels(view)
    fixed = presenter(view.game).places()
    where = {**fixed, **{name: piece.place for name, piece in pieces.items()}}
    games = {name: draw_panel(name, pieces.get(name), view, request) for name in where}
    places = {place: [games[name] for name, at in where.items() if at == place] for place in PLACES}
    rows, older = draw_log(view, log_page(session, viewer, view.facts.names, before=seq + 1), request)
    return Page(view, games, own, places, rows, older)


def view_now(session: GameSession, viewer: Viewer) -> TableView:
    """The table as it is now."""
    return view_at(session, viewer, *place(session))


def view_at(session: GameSession, viewer: Viewer, seq: int, head: str) -> TableView:
    """The table after event `seq`, whose hash is `head`."""
    facts = facts_at(session.pk, head)
    if facts is None:
        raise LookupError(session.topic)
    return table_view(facts, viewer, seq, head)


def draw_log(view: TableView, page: LogPage, request: HttpRequest | None = None) -> tuple[list[str], int | None]:
    """The rows of a page of the log, newest first."""
    drawn = [draw_entry(entry, view, new=False, request=request) for entry in reversed(page.entries)]
    return [html for html in drawn if html], page.older


def game_panels(view: TableView) -> Mapping[str, Piece]:
    """The game's panels; none before the table opens or when its state cannot be read."""
    if view.session.setup_seq is None or view.lost:
        return {}
    return presenter(view.game).panels(view)


# ---------------------------------------------------------------- the stream


def fragments(topic_name: str, projected: Sequence[Projected], viewer: Viewer) -> list[Fragment]:
    """What brings a page of this viewer level with these events.

    Drawn as of the last of them: what came after and is not in them does not change this viewer's page, because whoever
    sees another state without seeing an event gets `table.changed`.
    """
    last_seq, _kind, last = projected[-1]
    facts = facts_at(_pk(topic_name), str(last["hash"]))
    if facts is None:
        return []
    view = table_view(facts, viewer, last_seq, str(last["hash"]))
    return [*_rows(view, projected), *_panels(view, projected)]


def _rows(view: TableView, projected: Sequence[Projected]) -> list[Fragment]:
    found: list[Fragment] = []
    if any(envelope["data"].get("renamed") for _seq, kind, envelope in projected if kind in MEMBERSHIP):
        found += _all_again(view)
    for seq, kind, envelope in projected:
        if is_told(kind):
            entry = entry_of(seq, kind, envelope, view.facts.names)
            found.append(Fragment(entry.id, draw_entry(entry, view, new=True), seq))
        if kind == UNDONE:
            found += _struck(view, seq, envelope)
    return [fragment for fragment in found if fragment.html]


def _all_again(view: TableView) -> list[Fragment]:
    """The rows a page begins with, drawn again where they stand: somebody has another name."""
    page = log_page(view.session, view.viewer, view.facts.names, before=view.seq + 1)
    return [Fragment(entry.id, draw_entry(entry, view, new=False), view.seq) for entry in page.entries]


def _struck(view: TableView, seq: int, envelope: Envelope) -> list[Fragment]:
    """The entries that were taken back, drawn again where they stand."""
    first, last = envelope["data"].get("first"), envelope["data"].get("last")
    if not isinstance(first, int) or not isinstance(last, int):
        return []
    undone = undone_of(envelope, view.facts.names)
    entries = entries_between(view.session, view.viewer, first, last, view.facts.names, undone)
    return [Fragment(entry.id, draw_entry(entry, view, new=False), seq) for entry in entries]


def _panels(view: TableView, projected: Sequence[Projected]) -> list[Fragment]:
    seq, head = view.seq, str(projected[-1][2]["hash"])
    kinds = {kind for _seq, kind, _envelope in projected}
    names = parts.names_changed(kinds, view, _before(view, projected))
    drawn = {name: draw_panel(name, parts.panel(name, view, head), view) for name in names}
    if not view.lost and any(game_of(kind) or kind in _MAY_MOVE | _MOVES_ALL for kind in kinds):
        drawn |= _game_fragments(view, projected)
    return [Fragment(f"panel-{name}", html, seq) for name, html in drawn.items()]


def _before(view: TableView, projected: Sequence[Projected]) -> int:
    """The number this viewer's page was level with: a command may begin with events that were not for them."""
    first, kind, _envelope = projected[0]
    begun = max((one.first for one in view.facts.commands if one.first <= first), default=first)
    return min(first, begun if game_of(kind) is not None else first) - 1


def _game_fragments(view: TableView, projected: Sequence[Projected]) -> dict[str, str]:
    """The HTML of the game's panels that changed. One that comes says behind which of its place it stands."""
    fixed, pieces = presenter(view.game).places(), game_panels(view)
    _recent.put((str(projected[-1][2]["hash"]), view.viewer.group), pieces)
    drawn = {}
    for name, piece in _changed({**dict.fromkeys(fixed), **pieces}, view, projected).items():
        if piece is None and name not in fixed:
            drawn[name] = draw_gone(name)
            continue
        row = [other for other, one in pieces.items() if other not in fixed and piece and one.place == piece.place]
        at = row.index(name) if name in row else None
        after = None if at is None else f"panel-{row[at - 1]}" if at else ""
        drawn[name] = draw_panel(name, piece, view, after=after)
    return drawn


def _changed(
    now: Mapping[str, Piece | None], view: TableView, projected: Sequence[Projected]
) -> Mapping[str, Piece | None]:
    """The game's panels that differ from those before the first of these events, None for those that went; all when
    that is not known."""
    kinds = {kind for _seq, kind, _envelope in projected}
    before_seq, before_head = projected[0][0] - 1, str(projected[0][2]["prev"])
    if remembered(before_head) is None and UNDONE not in kinds:
        return now
    before = _recent.get((before_head, view.viewer.group))
    if before is None:
        before = game_panels(table_view(view.facts, view.viewer, before_seq, before_head))
    went = dict.fromkeys(name for name in before if name not in now)
    if kinds & _MOVES_ALL:
        return {**now, **went}
    return {name: piece for name, piece in now.items() if before.get(name) != piece} | went


# The game's panels as a group saw them after an event (its hash): what the next event is compared with.
_recent: Recent[tuple[str, str], Mapping[str, Piece]] = Recent(256)
_MAY_MOVE = frozenset({"table.changed"})
# After these not only the state differs, but who is there and what the session says of itself.
_MOVES_ALL = frozenset(
    {"session.started", "session.closed", "session.edited", "cast.joined", "sheet.refreshed", "evening.started"}
    | {"evening.ended", "event.undone", "member.changed", "closing.asked"}
)


def _pk(topic_name: str) -> int:
    pk = topic_name.partition(":")[2]
    return int(pk) if pk.isascii() and pk.isdecimal() and len(pk) < 19 else 0

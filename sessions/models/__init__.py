from sessions.models.alice import DraftAnswer, DraftPile, DraftReveal, DraftSeat
from sessions.models.table import CarryDecision, CastMember, CommandRecord, GameSession, SessionNote, Snapshot

__all__ = [
    "CarryDecision",
    "CastMember",
    "CommandRecord",
    "DraftAnswer",
    "DraftPile",
    "DraftReveal",
    "DraftSeat",
    "GameSession",
    "SessionNote",
    "Snapshot",
]

"""The shape of a character file, format version 1, as types. `json_schema()` is the published schema.

Unknown keys are allowed everywhere but inside `build`, which the game itself checks.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Text50 = Annotated[str, Field(max_length=50)]
Visibility = Literal["listed", "link", "group", "gm", "owner"]
Utc = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")]


class _Open(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class SystemPart(_Open):
    id: Annotated[str, Field(pattern=r"^[a-z0-9_]{2,40}$")]
    ruleset: str
    ruleset_hash: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None
    house_rules: dict[str, Any] = Field(default_factory=dict, description="only keys that differ from the default")


class Generator(_Open):
    name: str
    version: str


class Resource(_Open):
    key: Annotated[str, Field(max_length=80)]
    value: Annotated[int, Field(ge=-(10**9), le=10**9)]
    label: Annotated[str, Field(max_length=100)] = ""
    max: Annotated[int, Field(ge=-(10**9), le=10**9)] | None = None


class Condition(_Open):
    key: Annotated[str, Field(max_length=80)]
    until: Annotated[str, Field(max_length=80)] | None = None


class Play(_Open):
    resources: Annotated[list[Resource], Field(max_length=100)] = Field(default_factory=list)
    conditions: Annotated[list[Condition], Field(max_length=100)] = Field(default_factory=list)


class NotePart(_Open):
    title: Annotated[str, Field(max_length=100)] = ""
    text: Annotated[str, Field(max_length=20000)]
    visibility: Visibility


class HistoryRow(_Open):
    at: Annotated[str, Field(max_length=40)]
    kind: Literal["session", "growth", "purchase", "correction"]
    title: Annotated[str, Field(max_length=200)] = ""
    changes: dict[str, Any] = Field(default_factory=dict)


class NpcPart(_Open):
    count: Annotated[int, Field(ge=1, le=99)] = 1


class CharacterPart(_Open):
    name: Annotated[str, Field(min_length=1, max_length=700)]
    ruby: Annotated[str, Field(max_length=200)] | None = None
    player_name: Annotated[str, Field(max_length=100)] | None = None
    colour: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")] | None = None
    tags: Annotated[list[Text50], Field(max_length=50)] = Field(default_factory=list)
    build: dict[str, Any] = Field(description="choices the player made; checked by the game")
    npc: NpcPart | None = None
    play: Play = Field(default_factory=Play)
    notes: Annotated[list[NotePart], Field(max_length=200)] = Field(default_factory=list)
    palette: Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=200)] = Field(default_factory=list)
    history: Annotated[list[HistoryRow], Field(max_length=1000)] = Field(default_factory=list)


class Asset(_Open):
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    media_type: Literal["image/png", "image/jpeg", "image/webp"]
    role: Literal["portrait", "token", "other"]
    bytes: Annotated[int, Field(le=5242880)] | None = None
    path: Annotated[str, Field(pattern=r"^assets/[0-9a-f]{64}\.(png|jpg|webp)$")] | None = None


class DraftPart(_Open):
    fields: dict[str, int | str | bool | None] = Field(description="flat fields of an unsaved draft")
    only: bool = Field(default=False, description="there is no saved revision: `build` repeats the draft")


class CharacterDocument(_Open):
    format: Literal["takubiyori.character"]
    format_version: Annotated[str, Field(pattern=r"^1\.[0-9]+$")]
    id: Annotated[str, Field(pattern=r"^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$")]
    revision: Annotated[int, Field(ge=1)]
    system: SystemPart
    exported_at: Utc
    updated_at: Utc | None = None
    generator: Generator
    audience: Literal["owner", "gm", "group", "public"]
    omitted: list[str] = Field(default_factory=list, description="JSON pointers this audience may not see")
    source: dict[str, Any] = Field(default_factory=dict)
    character: CharacterPart
    derived: dict[str, Any] = Field(default_factory=dict, description="information only; recomputed on import")
    assets: Annotated[list[Asset], Field(max_length=20)] = Field(default_factory=list)
    extensions: dict[str, Any] = Field(default_factory=dict, description="kept and written back unchanged")
    draft: DraftPart | None = None


class PartyDocument(_Open):
    format: Literal["takubiyori.party"]
    format_version: Annotated[str, Field(pattern=r"^1\.[0-9]+$")]
    system: SystemPart
    pool: int | None
    characters: list[CharacterDocument]


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a character file."""
    schema = CharacterDocument.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Character file, version 1", **schema}

"""The page `docs/commands/<slug>.md`: every command of a game's live play, in Japanese and English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulesets.engine.text import Text

_ROLES = {
    "gm": Text("GM", "GM"),
    "co_gm": Text("副GM", "co-GM"),
    "player": Text("プレイヤー", "player"),
    "spectator": Text("見学", "spectator"),
    "timer": Text("時計", "timer"),
}
_TYPES = {
    "int": Text("整数", "whole number"),
    "bool": Text("はい・いいえ", "yes or no"),
    "text": Text("文", "text"),
    "choice": Text("選択", "choice"),
    "actor": Text("人物", "actor"),
    "card": Text("札", "card"),
    "cards": Text("札（いくつか）", "cards"),
}


def commands_page(names: Text, slug: str, commands: Sequence[Mapping[str, Any]]) -> str:
    """Markdown from what `services.commands` lists."""
    return "\n".join(_lines(names, slug, sorted(commands, key=lambda command: str(command["name"]))))


def _lines(names: Text, slug: str, commands: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"# {names.ja}の卓の命令 / Commands of play of {names.en}"
    yield ""
    yield f"このページは `python manage.py script --commands {slug} --markdown` が書きます。手で直さないでください。"
    yield f"This page is written by `python manage.py script --commands {slug} --markdown`; do not edit it by hand."
    yield ""
    yield "| 命令 / command | だれが / who | 何をする / what |"
    yield "|---|---|---|"
    for command in commands:
        yield f"| [`{command['name']}`](#{_anchor(command['name'])}) | {_who(command)} | {_both(command['label'])} |"
    for command in commands:
        yield ""
        yield from _command(command)
    yield ""
    yield "## 断りの文 / Refusals"
    yield ""
    yield "| code | 日本語 | English |"
    yield "|---|---|---|"
    found = {refusal["code"]: refusal["message"] for command in commands for refusal in command["refusals"]}
    for code in sorted(found):
        yield f"| {code} | {_cell(found[code]['ja'])} | {_cell(found[code]['en'])} |"
    yield ""


def _command(command: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {command['name']}"
    yield ""
    yield f"{_both(command['label'])}"
    yield ""
    yield f"- だれが / who: {_who(command)}"
    if command["when"]:
        yield f"- いつ / when: {_both(command['when'])}"
    if command["answers"]:
        yield "- 進行中の手順への返事（`step`） / answers the open operation (`step`)"
    if command["retractable"] and "player" in command["roles"]:
        yield "- あとに何もなければプレイヤーも取り消せる / a player may take it back while nothing came after"
    yield f"- 断り / refusals: {', '.join(refusal['code'] for refusal in command['refusals']) or '—'}"
    if not command["fields"]:
        return
    yield ""
    yield "| 欄 / field | 型 / type | 要る / needed | 内容 / what |"
    yield "|---|---|---|---|"
    for field in command["fields"]:
        needed = "○" if field["required"] else ""
        yield f"| `{field['name']}` | {_type(field)} | {needed} | {_both(field['label'])} |"


def _type(field: Mapping[str, Any]) -> str:
    if field["type"] == "choice":
        return "<br>".join(f"`{choice['value']}` {_both(choice['label'])}" for choice in field["choices"])
    words = _both(_TYPES[field["type"]])
    if field["min"] is None and field["max"] is None:
        return words
    return f"{words} {_bound(field['min'])}–{_bound(field['max'])}"


def _bound(value: int | None) -> str:
    return "" if value is None else str(value)


def _who(command: Mapping[str, Any]) -> str:
    roles = [role for role in _ROLES if role in command["roles"]]
    return "、".join(_ROLES[role].ja for role in roles) + " / " + ", ".join(_ROLES[role].en for role in roles)


def _both(words: Text | Mapping[str, str]) -> str:
    ja, en = (words.ja, words.en) if isinstance(words, Text) else (words["ja"], words["en"])
    return _cell(ja if ja == en else f"{ja} / {en}")


def _cell(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")


def _anchor(name: str) -> str:
    """How GitHub and others link a heading: lower case, dots left out."""
    return name.lower().replace(".", "")

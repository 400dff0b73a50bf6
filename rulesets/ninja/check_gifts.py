"""What creation gives: jitsu or start skill, item, cyberware on the loan, 生い立ち (rules §3.3, §3.5)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.engine.checking import Finding, Repair
from rulesets.engine.text import Text
from rulesets.ninja.sheet import Sheet
from rulesets.ninja.subject import Subject

MOST_CYBERWARE = 1


def find(subject: Subject) -> Iterator[Finding]:
    if subject.npc:
        return
    yield from _jitsu(subject)
    yield from _skill_and_item(subject)
    yield from _cyberware(subject)
    yield from _rolled(subject)
    yield from _background(subject)


def _jitsu(subject: Subject) -> Iterator[Finding]:
    sheet = subject.sheet
    level = sheet.permanent.get("jitsu")
    kind = sheet.text("jitsu_kind")
    if level is None:
        return
    if level >= 1 and not kind:
        yield Finding("B07", "jitsu_kind", repairs=(subject.goto("jitsu_kind"),))
    if level == 0 and kind:
        yield Finding("B08", "jitsu_kind", repairs=(subject.remove("jitsu_kind"),))
    if sheet.base.get("jitsu", 0) >= 1 and sheet.text("start_skill"):
        yield Finding("B09", "start_skill", repairs=(subject.remove("start_skill"),))


def _skill_and_item(subject: Subject) -> Iterator[Finding]:
    sheet = subject.sheet
    skill, item = sheet.text("start_skill"), sheet.text("start_item")
    if sheet.gave_up_gifts:
        for path, held in (("start_skill", skill), ("start_item", item)):
            if held and not (path == "start_skill" and sheet.base.get("jitsu", 0) >= 1):
                yield Finding("B11", path, repairs=(subject.remove(path),))
        return
    if sheet.base.get("jitsu") == 0 and not skill:
        yield Finding("B10", "start_skill", repairs=(subject.goto("start_skill"),))
    if not item and not _replaced(sheet):
        yield Finding("B35", "start_item", repairs=(subject.goto("start_item"),))
    if not sheet.lore:
        yield Finding("B21", "knowledge.1", repairs=(subject.goto("knowledge.1"),))


def _replaced(sheet: Sheet) -> bool:
    return sheet.background is not None and sheet.background.replaces_item


def _cyberware(subject: Subject) -> Iterator[Finding]:
    sheet, rule = subject.sheet, subject.tables.rule
    started = [piece for piece in sheet.pieces if piece.origin == "start"]
    if len(started) > MOST_CYBERWARE:
        gone = tuple(_without(subject, piece.path) for piece in started[1:])
        params = {"max": MOST_CYBERWARE, "n": len(started)}
        yield Finding("B12", started[1].path, params, MOST_CYBERWARE, len(started), repairs=gone)
    if started and rule.cyber_mode == "none":
        yield Finding("B30", started[0].path, repairs=(_without(subject, started[0].path),))
    loan = sheet.number("loan") or 0
    played = subject.context.saved or subject.context.previous is not None
    if started and loan != rule.loan_repay and not played:
        why = {"principal": rule.loan_principal}
        fix = subject.change("loan", loan, rule.loan_repay)
        yield Finding("B13", "loan", {"repay": rule.loan_repay}, rule.loan_repay, loan, why, repairs=(fix,))
    for piece in sheet.pieces:
        if piece.origin == "background" and not _granted(sheet, piece.row.id if piece.row is not None else ""):
            name = sheet.background.name if sheet.background is not None else subject.tables.label("none")
            head = piece.path.rpartition(".")[0]
            fix = Repair(subject.words.remove(subject.label(f"{head}.origin")), {f"{head}.origin": None})
            told = {"skill": piece.name, "background": name}
            yield Finding("B27", piece.path, told, repairs=(fix, _without(subject, piece.path)))


def _granted(sheet: Sheet, piece: str) -> bool:
    return sheet.background is not None and piece in sheet.background.cyber


def _without(subject: Subject, path: str) -> Repair:
    """Takes a whole row away; a loan that paid for nothing else goes with it."""
    head = path.rpartition(".")[0]
    gone = {key: None for key in subject.sheet.fields if key.startswith(f"{head}.")}
    return Repair(subject.words.remove(subject.label(path)), gone)


def _rolled(subject: Subject) -> Iterator[Finding]:
    """Where the group rolls, the recorded face must be that of what was taken (E06, E07)."""
    sheet, tables = subject.sheet, subject.tables
    skill = sheet.start_skill
    if tables.rule.skill_mode == "roll" and skill is not None and sheet.number("rolls.start_skill") != skill.roll:
        params = {"label": subject.label("start_skill")}
        yield Finding("B31", "start_skill", params, repairs=(subject.remove("start_skill"),))
    started = next((piece for piece in sheet.pieces if piece.origin == "start"), None)
    if tables.rule.cyber_mode == "roll" and started is not None:
        face = None if started.row is None else started.row.roll
        if face is None or sheet.number("rolls.cyberware") != face:
            params = {"label": subject.label(started.path)}
            yield Finding("B31", started.path, params, repairs=(_without(subject, started.path),))


def _background(subject: Subject) -> Iterator[Finding]:
    sheet, row = subject.sheet, subject.sheet.background
    if sheet.text("background") and not subject.tables.rule.background_enabled:
        yield Finding("B26", "background", repairs=(subject.remove("background"),))
    chosen = [skill for _, skill in sheet.background_lore]
    if row is None:
        if chosen and not sheet.text("background"):
            gone = {key: None for key, _ in sheet.background_lore}
            fix = Repair(subject.words.remove(subject.label("background_skills.1")), gone)
            params = {"background": subject.tables.label("none"), "n": 0}
            yield Finding("B25", "background_skills.1", params, 0, len(chosen), repairs=(fix,))
        return
    if len(chosen) != row.choose or len(set(chosen)) != len(chosen) or not set(chosen) <= set(row.skills):
        changes: dict[str, str | None] = {key: None for key, _ in sheet.background_lore}
        kept = [skill for skill in dict.fromkeys(chosen) if skill in row.skills]
        wanted = [*kept, *(skill for skill in row.skills if skill not in kept)][: row.choose]
        changes |= {f"background_skills.{n}": skill for n, skill in enumerate(wanted, 1)}
        told = [subject.tables.lore[skill] for skill in wanted]
        new = Text("、".join(text.ja for text in told), ", ".join(text.en for text in told))
        fix = Repair(subject.words.set(subject.label("background_skills.1"), new), changes)
        params = {"background": row.name, "n": row.choose}
        path = f"background_skills.{min(len(chosen) + 1, 60)}" if len(chosen) < row.choose else "background_skills.1"
        yield Finding("B25", path, params, row.choose, len(chosen), repairs=(fix,))

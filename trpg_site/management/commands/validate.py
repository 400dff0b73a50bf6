"""`manage.py validate FILE.json`: a character or party file against the rules (DESIGN §7, §8). Needs no database.

Exit 0: legal; 1: illegal, or a build that cannot be read; 2: no file of ours. With `--json`:

    {"legal": false, "problems": [{"code", "level", "path", "pointer", "message", "rule", "reason", "needed", "had",
     "fixes": [{"kind", "label", "changes", "points", "cost_delta"}]}],
     "costs": {"spent", "allocation", "left", "over", "groups": {…}, "lines": [{"key", "label", "points"}]},
     "derived": {"evasion": 15, …}}

A party adds `characters` (one such result each, with `name`); its `costs` are those of the pool, its `derived` a list.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from characters.document_reader import Unreadable, read_json
from rulesets import services
from rulesets.engine.problems import Problem, Report
from rulesets.protocol import Context, Party

LEGAL, ILLEGAL, UNREADABLE = 0, 1, 2
CHARACTER, PARTY = "takubiyori.character", "takubiyori.party"
MAJOR = "1"


class Command(BaseCommand):
    help = "Check a character or party file. Exit 0 legal, 1 illegal, 2 unreadable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.json", help="a file, or - for standard input")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.add_argument("--allocation", type=int, help="points promised to the character (or in the file)")
        parser.add_argument("--pool", type=int, help="build points of the party (or in a party file)")
        parser.add_argument("--house-rules", help='house rules instead of the file\'s, as JSON: {"skill_cost": …}')
        parser.add_argument("--lang", choices=["ja", "en"], default="ja", help="language of the messages")

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["lang"]):
            try:
                document = _document(options["file"])
                rules = _given_rules(options["house_rules"])
                found = Checker(options["lang"], options["allocation"], options["pool"], rules).check(document)
            except Unreadable as error:
                self._refuse(str(error), options["json"])
            self._show(found, as_json=options["json"])
        sys.exit(LEGAL if found["legal"] else ILLEGAL)

    def _show(self, found: Mapping[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(found, ensure_ascii=False, indent=2))
            return
        for one in found.get("characters", [found]):
            self._tell(one)
        if "characters" in found:
            self.stdout.write(_("一座　%(line)s") % {"line": _budget(found["costs"])})
        self.stdout.write(_("規則に合っています。") if found["legal"] else _("直すところがあります。"))

    def _tell(self, one: Mapping[str, Any]) -> None:
        self.stdout.write(f"{one['name']}　{_budget(one['costs'])}" if one["costs"] else one["name"])
        for problem in one["problems"]:
            mark = "×" if problem["level"] == "error" else "※"
            self.stdout.write(f"  {mark} {problem['code']} {problem['message']} {problem['rule']}".rstrip())

    def _refuse(self, sentence: str, as_json: bool) -> NoReturn:
        line = " ".join(sentence.split())
        if as_json:
            problem = {"code": "unreadable", "level": "error", "path": "", "message": line}
            self.stdout.write(
                json.dumps({"legal": False, "problems": [problem], "costs": {}, "derived": {}}, ensure_ascii=False)
            )
        self.stderr.write(line)
        sys.exit(UNREADABLE)


def _budget(costs: Mapping[str, Any]) -> str:
    """`280点（割り当て280・残り0）` of a character, or the same of the pool."""
    limit = costs.get("allocation", costs.get("pool"))
    if limit is None:
        return _("%(n)s点") % {"n": costs["spent"]}
    values = {"n": costs["spent"], "limit": limit, "left": costs["left"], "over": costs["over"]}
    if costs["over"]:
        return _("%(n)s点／%(limit)s点・%(over)s点超過") % values
    return _("%(n)s点／%(limit)s点・残り%(left)s点") % values


def _document(name: str) -> Mapping[str, Any]:
    """The parsed file. Raises Unreadable."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        message = _("ファイルを開けません（%(why)s）。") % {"why": error.strerror or type(error).__name__}
        raise Unreadable(message, code="file") from error
    value = read_json(data)
    if not isinstance(value, dict):
        raise Unreadable(_("人物や一座のファイルではありません。"), code="format")
    return value


def _given_rules(text: str | None) -> Mapping[str, Any] | None:
    if text is None:
        return None
    rules = read_json(text)
    if not isinstance(rules, dict):
        raise Unreadable(_("ハウスルールは {…} の形で書いてください。"), code="house_rules")
    return rules


class Checker:
    """Checks a document; figures given on the command line go before those of the file."""

    def __init__(
        self, lang: str, allocation: int | None, pool: int | None, house_rules: Mapping[str, Any] | None
    ) -> None:
        self._lang = lang
        self._allocation = allocation
        self._pool = pool
        self._rules = house_rules

    def check(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The result for `--json`. Raises Unreadable."""
        kind = document.get("format")
        if kind not in (CHARACTER, PARTY):
            raise Unreadable(_("人物や一座のファイルではありません（format がありません）。"), code="format")
        if str(document.get("format_version", "")).split(".")[0] != MAJOR:
            message = _("この版のファイルは読めません（読めるのは %(n)s.x）。") % {"n": MAJOR}
            raise Unreadable(message, code="version")
        return self._character(document) if kind == CHARACTER else self._party(document)

    # ------------------------------------------------------------ one character

    def _character(self, document: Mapping[str, Any]) -> dict[str, Any]:
        allocation = self._allocation if self._allocation is not None else _count(document.get("allocation"))
        pool = self._pool if self._pool is not None else _count(document.get("pool"))
        rules = self._rules_of(document)
        found, spent = self._checked(document, None, rules)
        if pool is None and allocation is None:
            return found
        # A share without a pool is all there is to keep: the pool then holds whatever is spent.
        total = pool if pool is not None else max(spent, allocation or 0)
        return self._checked(document, Party(total, 0, allocation, allocation is not None), rules)[0]

    def _checked(
        self, document: Mapping[str, Any], party: Party | None, rules: Mapping[str, Any]
    ) -> tuple[dict[str, Any], int]:
        """The result for one character, and its points towards the pool (an NPC's are none)."""
        system, part = _system(document), _part(document)
        name = str(part.get("name") or "—")
        problems = _rule_problems(system, rules) or _document_problems(system, part["build"])
        if problems:
            told = [self._problem(problem) for problem in problems]
            return {"name": name, "legal": False, "problems": told, "costs": {}, "derived": {}}, 0
        npc = "npc" in part
        fields = services.from_build(system, part["build"])
        report = services.check(system, fields, rules, Context("npc" if npc else "pc", None if npc else party))
        found = {
            "name": services.display_name(system, fields) or name,
            "legal": report.legal,
            "problems": [self._problem(problem) for problem in report.problems],
            "costs": self._costs(report, None if npc or party is None else party),
            "derived": {key: derived.value for key, derived in report.derived.items()},
        }
        return found, 0 if npc else report.spent

    def _rules_of(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._rules is not None:
            return self._rules
        rules = document.get("system", {}).get("house_rules") if isinstance(document.get("system"), dict) else None
        return rules if isinstance(rules, dict) else {}

    def _costs(self, report: Report, party: Party | None) -> dict[str, Any]:
        groups: dict[str, int] = {}
        for line in report.costs:
            groups[line.group] = groups.get(line.group, 0) + line.points
        limit = party.allocation if party is not None else None
        return {
            "spent": report.spent,
            "allocation": limit,
            "left": None if limit is None else max(0, limit - report.spent),
            "over": 0 if limit is None else max(0, report.spent - limit),
            "groups": groups,
            "lines": [
                {"key": line.key, "label": line.label.pick(self._lang), "points": line.points} for line in report.costs
            ],
        }

    def _problem(self, problem: Problem) -> dict[str, Any]:
        pointer = problem.path if problem.path.startswith("/") else ""
        return {
            "code": problem.code,
            "level": problem.level,
            "path": "" if pointer else problem.path,
            "pointer": pointer,
            "message": problem.message.pick(self._lang),
            "rule": problem.rule,
            "reason": problem.reason.pick(self._lang) if problem.reason is not None else None,
            "needed": problem.needed,
            "had": problem.had,
            "fixes": [
                {
                    "kind": fix.kind,
                    "label": fix.label.pick(self._lang),
                    "changes": dict(fix.changes),
                    "points": fix.points,
                    "cost_delta": fix.cost_delta,
                }
                for fix in problem.fixes
            ],
        }

    # ------------------------------------------------------------ a party

    def _party(self, document: Mapping[str, Any]) -> dict[str, Any]:
        members = document.get("characters")
        if not isinstance(members, list) or not all(isinstance(one, dict) for one in members):
            raise Unreadable(_("一座のファイルに characters のリストがありません。"), code="party")
        rules = self._rules_of(document)
        first = [self._checked(one, None, rules) for one in members]
        total = sum(spent for _found, spent in first)
        pool = self._pool if self._pool is not None else _count(document.get("pool"))
        results = []
        for one, (_found, spent) in zip(members, first, strict=True):
            share = _count(one.get("allocation"))
            party = None if pool is None else Party(pool, total - spent, share, share is not None)
            results.append(self._checked(one, party, rules)[0])
        over = 0 if pool is None else max(0, total - pool)
        return {
            "legal": all(one["legal"] for one in results) and not over,
            "problems": [{"character": one["name"], **problem} for one in results for problem in one["problems"]],
            "costs": {
                "spent": total,
                "pool": pool,
                "left": None if pool is None else max(0, pool - total),
                "over": over,
                "characters": [one["costs"].get("spent") for one in results],
            },
            "derived": [one["derived"] for one in results],
            "characters": results,
        }


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _system(document: Mapping[str, Any]) -> str:
    """The slug of a game this site knows. Raises Unreadable."""
    part = document.get("system")
    slug = part.get("id") if isinstance(part, dict) else None
    try:
        return services.get(slug if isinstance(slug, str) else "").slug
    except services.UnknownSystem:
        known = "、".join(system.slug for system in services.systems())
        raise Unreadable(
            _("知らないゲームのファイルです（読めるのは %(known)s）。") % {"known": known}, code="system"
        ) from None


def _part(document: Mapping[str, Any]) -> Mapping[str, Any]:
    part = document.get("character")
    if not isinstance(part, dict) or not isinstance(part.get("build"), dict):
        raise Unreadable(_("ファイルに character.build がありません。"), code="build")
    return part


def _rule_problems(system: str, rules: Mapping[str, Any]) -> list[Problem]:
    return [_pointed(problem, "/system/house_rules/") for problem in services.check_house_rules(system, rules)]


def _document_problems(system: str, build: Mapping[str, Any]) -> list[Problem]:
    return [_pointed(problem, "/character/build") for problem in services.check_document(system, build)]


def _pointed(problem: Problem, above: str) -> Problem:
    """A problem whose path is a JSON pointer into the whole file."""
    return replace(problem, path=above + problem.path)

"""English: the catalogue is whole, no page shows Japanese that nobody typed, and the choice of a language stays.

The rule of the pages: outside elements with lang="ja", outside what people typed (everything stored as text) and
outside a gloss in brackets behind its English term — "build points (役作り点)" — an English page holds no kana, no
kanji and no full-width sign, neither in its text nor in words that an attribute carries.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.translation.reloader import translation_file_changed
from django.utils.translation.template import templatize

from tests.factories import UserFactory
from tests.site.test_authorization import ROWS, Scene, make_scene
from trpg_site.management.commands.catalogues import compile_catalogues

CATALOGUE = settings.LOCALE_PATHS[0] / "en/LC_MESSAGES/django.po"
PARTS = ("accounts", "characters", "live", "rulesets", "sessions", "templates", "trpg_site")

MessageId = str | tuple[str, ...]
Key = tuple[str | None, MessageId]

# ---------------------------------------------------------------- the catalogue

# What makemessages knows.
GETTEXT = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
PLACEHOLDER = re.compile(r"%\(\w+\)[ds]|%[ds]|\{\w*\}")
# Kana, kanji, full-width signs; ＞ is the arrow of dice lines in every language.
JAPANESE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff01-\uff1d\uff1f-\uff5e]")
GLOSS = re.compile(r"(?<=[a-z]) \([\u3005\u3041-\u30ff\u4e00-\u9fff]+\)")
OWN_NAME = {"日本語"}  # a language is called by its own name


def used() -> dict[Key, str]:
    """Every text the code and the templates ask for, with a place where it is used."""
    found: dict[Key, str] = {}
    for part in PARTS:
        for path in sorted((settings.BASE_DIR / part).rglob("*")):
            if path.suffix == ".py":
                source = path.read_text(encoding="utf-8")
            elif path.suffix in (".html", ".txt"):
                source = templatize(path.read_text(encoding="utf-8"), origin=str(path))
            else:
                continue
            for line, text, _comments, context in extract("python", io.BytesIO(source.encode()), keywords=GETTEXT):
                found.setdefault((context, text), f"{path.relative_to(settings.BASE_DIR)}:{line}")
    return found


def catalogue() -> Catalog:
    with CATALOGUE.open("rb") as file:
        return read_po(file)


def entries() -> list[Message]:
    return [message for message in catalogue() if message.id]


def forms(text: MessageId) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text.replace("%%", "")))


def test_every_text_is_in_the_catalogue():
    held = {(message.context, message.id) for message in entries()}
    missing = {f"{where}: {key[1]!r}" for key, where in used().items() if key not in held}
    assert not missing, "run makemessages and translate:\n" + "\n".join(sorted(missing))


def test_gettext_goes_by_names_that_makemessages_knows():
    alias = re.compile(r"\b\w*gettext\w* as (?!_\b)\w+")
    bad = [
        f"{path.relative_to(settings.BASE_DIR)}: {found.group()}"
        for part in PARTS
        for path in (settings.BASE_DIR / part).rglob("*.py")
        for found in alias.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not bad


def test_every_text_is_translated():
    bad = [message.id for message in entries() if message.fuzzy or not all(forms(message.string))]
    assert not bad


def test_placeholders_are_the_same_on_both_sides():
    bad = [
        (text, translated)
        for message in entries()
        for text in forms(message.id)
        for translated in forms(message.string)
        if placeholders(text) != placeholders(translated)
    ]
    assert not bad


def test_translations_are_english():
    bad = [
        translated
        for message in entries()
        for translated in forms(message.string)
        if JAPANESE.search(GLOSS.sub("", translated)) and translated not in OWN_NAME
    ]
    assert not bad


def test_the_catalogue_names_no_machine_and_knows_two_forms():
    head = catalogue()
    assert head.num_plurals == 2
    assert head.plural_expr == "(n != 1)"
    text = CATALOGUE.read_text(encoding="utf-8")
    assert "#:" not in text  # places in files would change with every edit
    assert "#~" not in text
    assert "#, fuzzy" not in text


# ---------------------------------------------------------------- the pages


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The catalogue as it is now, compiled: no older one of another run counts."""
    folder = tmp_path_factory.mktemp("locale")
    target = folder / "en" / "LC_MESSAGES"
    target.mkdir(parents=True)
    shutil.copy(CATALOGUE, target)
    compile_catalogues(folder)
    compiled = Path("django.mo")  # its name alone is looked at; every catalogue is read afresh
    with override_settings(LOCALE_PATHS=[folder]):
        translation_file_changed(None, compiled)
        yield
    translation_file_changed(None, compiled)


@pytest.fixture(scope="module")
def scene(english: None, django_db_setup: None, django_db_blocker) -> Iterator[Scene]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_scene()
        transaction.set_rollback(True)


VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "use", "wbr"}
# Attributes that carry values, addresses or words to search for, none of them shown as they are.
SILENT = {"value", "content", "href", "action", "src", "id", "for", "name", "class", "datetime"} | {
    "data-base",
    "data-was",
    "data-words",
    "data-find",
    "data-slug",
}
DROPPED = {"script", "style"}


class Shown(HTMLParser):
    """Collects the words of a page that are not marked as Japanese."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.lang = ""
        self._open: list[tuple[str, bool]] = []  # element, and whether it and what is in it counts

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "html":
            self.lang = given.get("lang") or ""
        face = "face" in (given.get("class") or "").split()  # the first sign of a name
        counts = self._counts() and given.get("lang") != "ja" and tag not in DROPPED and not face
        if counts:
            self.words += [text for key, text in given.items() if text and key not in SILENT]
        if tag not in VOID:
            self._open.append((tag, counts))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._counts():
            self.words.append(data)

    def _counts(self) -> bool:
        return not self._open or self._open[-1][1]


def strings(value: object) -> Iterator[str]:
    """The texts in a stored value; words told in two languages are the game's own and left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and not {"ja", "en"} <= set(value):
        yield from strings(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from strings(one)


# Typed into a command of the scene; stored only within the game's sentences in two languages.
IN_SENTENCES = ("転んだ",)


def typed() -> list[str]:
    """Whatever stands in the database as text, longest first."""
    found = set(IN_SENTENCES)
    for model in apps.get_models():
        if model.__module__.partition(".")[0] in PARTS:
            for row in model.objects.values():
                found.update(strings(list(row.values())))
    lines = {line.strip() for text in found for line in (text, *text.splitlines())}
    return sorted((line for line in lines if JAPANESE.search(line)), key=len, reverse=True)


def offenders(words: Iterable[str], theirs: Iterable[str]) -> list[str]:
    """Pieces of a page that are Japanese although nobody typed them."""
    found = []
    for word in words:
        if not JAPANESE.search(word) or word.strip() in OWN_NAME:
            continue
        left = word
        for text in theirs:
            left = left.replace(text, "*")
        if JAPANESE.search(GLOSS.sub("", left)):
            found.append(" ".join(left.split())[:160])
    return found


def shown(response: HttpResponse) -> Shown:
    page = Shown()
    page.feed(response.content.decode())
    return page


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(name for name, row in ROWS.items() if row.GET))
def test_no_page_shows_japanese_to_english_readers(name: str, scene: Scene):
    row = ROWS[name]
    url = reverse(name, kwargs={arg: scene.values[source] for arg, source in row.kwargs.items()})
    theirs = typed()
    for role in ("gm", "owner", "stranger", "anonymous"):
        response = scene.clients[role].get(url, headers={"accept-language": "en"})
        if response.status_code >= 300 or not response["Content-Type"].startswith("text/html"):
            continue
        page = shown(response)
        assert page.lang in ("en", ""), (name, role)  # a piece of a page has no language of its own
        assert not offenders(page.words, theirs), (name, role, offenders(page.words, theirs))


@pytest.mark.django_db
def test_pages_of_an_npc_and_a_rules_search_are_english(scene: Scene):
    theirs = typed()
    urls = [reverse(name, args=[scene.values["npc"]]) for name in ("character", "character_edit", "character_print")]
    rules = reverse("campaign_rules", args=[scene.values["campaign"]])
    tools = reverse("tools")
    urls += [f"{rules}?show=guessed", f"{rules}?q=zzz", f"{tools}?tool=clock&season=geshi&time=13:05"]
    urls += [f"{tools}?tool=money&ryo=3", f"{tools}?tool=money&ryo=x", f"{tools}?tool=clock&date=never"]
    for url in urls:
        response = scene.clients["gm"].get(url, headers={"accept-language": "en"})
        assert response.status_code in (200, 400), url  # refused in words is a page too
        assert not offenders(shown(response).words, theirs), url


def test_the_rule_finds_japanese_and_forgives_names():
    page = Shown()
    page.feed('<html lang="en"><p title="題">雪村 and 役<b lang="ja">浮世<i>草子</i></b><br>drama points (活劇点)：')
    assert offenders(page.words, ["雪村"]) == ["題", "* and 役", "drama points (活劇点)："]


# ---------------------------------------------------------------- choosing one


@pytest.mark.django_db
@pytest.mark.parametrize(("asked", "lang"), [("ja", "ja"), ("en-GB", "en"), ("de", "ja"), ("", "ja")])
def test_the_browser_decides_at_first(english: None, asked: str, lang: str):
    response = Client().get("/", headers={"accept-language": asked})
    assert shown(response).lang == lang
    assert "Accept-Language" in response["Vary"]


@pytest.mark.django_db
def test_a_choice_stays_in_this_browser(english: None):
    client = Client(headers={"accept-language": "ja"})
    response = client.post(reverse("set_language"), {"language": "en", "next": "/"})
    assert response.status_code == 303
    for _ in range(2):
        page = shown(client.get("/"))
        assert page.lang == "en"
        assert any("Sign in" in word for word in page.words)
    client.post(reverse("set_language"), {"language": "ja", "next": "/"})
    assert shown(client.get("/")).lang == "ja"


@pytest.mark.django_db
def test_a_choice_follows_the_person(english: None):
    user = UserFactory()
    first, second = Client(headers={"accept-language": "ja"}), Client(headers={"accept-language": "ja"})
    first.force_login(user)
    second.force_login(user)
    first.post(reverse("set_language"), {"language": "en", "next": "/"})
    assert shown(second.get("/")).lang == "en"


@pytest.mark.django_db
def test_refusals_and_error_pages_speak_english_too(english: None):
    client = Client(headers={"accept-language": "en"})
    assert "Not found" in client.get("/c/nothing/").content.decode() or client.get("/c/nothing/").status_code == 302
    response = client.post(reverse("invite_open"), {"code": "", "name": ""})
    page = shown(response)
    assert page.lang == "en"
    assert not offenders(page.words, [])

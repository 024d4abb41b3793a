"""The page in every language: chosen, changed during a game, complete, and never clipped."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import Page, expect

from goldenspike import Game
from goldenspike.server.protocol.names import CHARACTERS
from tests.server.serving import Server
from tests.web.browsing import FLAT, LAPTOP, PHONE, Browsing, resize
from tests.web.measures import find_faults
from tests.web.scenes import HARD, LONG_NAMES, NAMES, SCENES, SCREENS, TABLES, Stage, table

LANGUAGES = ["en", "da", "de", "es", "fr", "it", "nl", "nb", "pl", "fi", "sv", "ja"]
LONG = ["de", "fi", "ja"]
"""Languages with long words, and one without spaces."""

MOST_BYTES = 15_000

_SPEAK = """(language) => {
  const key = "goldenspike.settings";
  const was = JSON.parse(localStorage.getItem(key) ?? "{}");
  localStorage.setItem(key, JSON.stringify({ ...was, language }));
  dispatchEvent(new StorageEvent("storage", { key }));
}"""
_OUTSIDE = """() => {
  const outside = (text) => {
    let [depth, rest] = [0, ""];
    for (const letter of text) {
      if (letter === "[") depth++;
      else if (letter === "]") depth = Math.max(0, depth - 1);
      else if (!depth) rest += letter;
    }
    return rest;
  };
  // What was said before the language changed, credits, keys and names of languages are not translated.
  const said = "[aria-live], [role=status], [data-testid=remark], [data-testid=advice]";
  for (const part of document.querySelectorAll(`${said}, .credit, kbd, option[lang]`)) part.remove();
  const isSeen = (part) => part.getClientRects().length > 0 && getComputedStyle(part).visibility !== "hidden";
  const labels = [...document.querySelectorAll("[aria-label], [placeholder], [title]")].filter(isSeen)
    .flatMap((part) => ["aria-label", "placeholder", "title"].map((name) => part.getAttribute(name) ?? ""));
  return [document.body.innerText, document.title, ...labels].map(outside).join("\\n");
}"""
"""The text of the page outside of brackets, in which the pseudo-locale puts every text of the catalogue."""
_DATA = """() => [...document.querySelectorAll(
  "[data-testid=board] text, input, code, .data, [data-testid=language] option")]
  .map((part) => part.value || part.textContent)"""


def speak(page: Page, language: str) -> None:
    """Change the language of an open page, as another tab of the same browser does."""
    page.evaluate(_SPEAK, language)
    shown = "en-x-pseudo" if language == "pseudo" else language
    page.wait_for_function("(shown) => document.documentElement.lang === shown", arg=shown)


@pytest.mark.parametrize("name", SCREENS | TABLES | HARD)
def test_every_text_of_a_scene_is_in_the_catalogue(name: str, browsing: Browsing, server: Server) -> None:
    page = SCENES[name](Stage(browsing, server, LAPTOP))
    speak(page, "pseudo")
    left = page.evaluate(_OUTSIDE)
    words = {word for word in re.findall(r"[^\W\d_]{3,}", left) if not re.fullmatch("[a-f]+", word)}
    names = set(re.findall(r"[^\W\d_]{3,}", " ".join(page.evaluate(_DATA))))
    assert words - names <= KNOWN, sorted(words - names - KNOWN)


PEOPLE = (*NAMES, *LONG_NAMES, "Cleo", "Dan", "You", *(bot.name for bot in CHARACTERS), "Player", "Seat")
"""Names of players; those that nobody chose come from the server."""
KNOWN = {
    "Golden",
    "Spike",
    "XXXXX",
    "and",
    *(word for name in PEOPLE for word in re.findall(r"[^\W\d_]{3,}", name)),
}
"""Words that are the same in all languages, the form of a code, and the English word that joins a list."""


@pytest.mark.parametrize("name", SCREENS | TABLES | HARD)
@pytest.mark.parametrize("language", LONG)
def test_nothing_is_clipped_on_a_phone(name: str, language: str, browsing: Browsing, server: Server) -> None:
    page = SCENES[name](Stage(browsing, server, PHONE))
    speak(page, language)
    for screen in (PHONE, FLAT):
        resize(page, screen)
        faults = find_faults(page, is_touched=True)
        assert not faults, f"{screen}:\n" + "\n".join(faults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_of_the_browser_is_chosen(language: str, browsing: Browsing) -> None:
    context = browsing.browser.new_context(locale=f"{language}-XX" if language != "en" else "en-GB")
    page = context.new_page()
    page.goto(browsing.address(""))
    page.get_by_role("heading", level=1).first.wait_for()
    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("document.documentElement.dir") == "ltr"
    context.close()


def test_the_language_changes_during_a_game_and_nothing_is_lost(browsing: Browsing, server: Server) -> None:
    page = table("usa-classic")(Stage(browsing, server, LAPTOP))
    lines = page.get_by_test_id("log").locator("li")
    before = lines.count()
    expect(page.get_by_test_id("turn")).to_contain_text("Your turn")
    speak(page, "de")
    expect(page.get_by_test_id("turn")).not_to_contain_text("Your turn")
    expect(lines).to_have_count(before)
    assert "claimed" not in page.get_by_test_id("log").inner_text()
    speak(page, "en")
    expect(page.get_by_test_id("turn")).to_contain_text("Your turn")
    assert "claimed" in page.get_by_test_id("log").inner_text()


def test_a_language_is_loaded_when_it_is_chosen_and_is_small(browsing: Browsing) -> None:
    page = browsing.open("settings")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    for language in LANGUAGES[1:]:
        with page.expect_response(re.compile(rf"/assets/{language}-.*\.js$")) as asked:
            page.get_by_test_id("language").select_option(language)
        page.wait_for_function("(code) => document.documentElement.lang === code", arg=language)
        assert len(gzip.compress(asked.value.body())) < MOST_BYTES, language
    assert sum(bool(re.search(r"/[a-z]{2}-[^/]*\.js$", url)) for url in loaded) == len(LANGUAGES) - 1


def test_the_settings_change_the_language_at_once(browsing: Browsing) -> None:
    page = browsing.open("settings")
    page.get_by_test_id("language").select_option("fr")
    expect(page.get_by_role("heading", level=1)).to_have_text("Réglages")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Réglages")


def test_a_typed_move_understands_names_of_the_language(browsing: Browsing, server: Server) -> None:
    game = Game.new("usa-classic", players=2, seed="prairie", first=0)
    game.play("keep all", seat=0)
    game.play("keep all", seat=1)
    page = Stage(browsing, server, LAPTOP, language="pl").sit(game, "here", "easy")
    page.get_by_test_id("command").fill("claim Boston-Nowy Jork with 2 żółty")
    page.keyboard.press("Enter")
    expect(page.locator("[data-route^='BOS-NYC'] [href='#train-0']").first).to_be_attached()

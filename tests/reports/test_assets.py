"""The scripts in French: every sentence is translated, the code is the same, and browsers understand it."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from shutil import which

import pytest
from babel.messages.extract import extract_javascript
from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment, String, Whitespace

from arena.translating import writing_in
from reports.assets import Assets
from reports.catalogues import FRENCH, catalogue, tongue
from reports.translations import ENGLISH, Language

FOLDERS = ("static", "seat")
SCRIPTS = {
    file.name: file.read_text(encoding="utf-8")
    for folder in FOLDERS
    for file in files("reports").joinpath(folder).iterdir()
    if file.name.endswith(".js")
}
SENTENCE = re.compile(r"(?<![\w$.])_`((?:[^`\\]|\\.)*)`")
SENTENCES = sorted({sentence for script in SCRIPTS.values() for sentence in SENTENCE.findall(script)})
PLURAL = re.compile(r'\$\{([\w.]+) > 1 \? "s" : ""\}')
"""What French may have in addition: the s of several things."""

ALIKE = {"Pause", "1 point", "${count} points", "Payoo", "Points", "Total"}
"""What is the same in French."""

NO_SENTENCES = {
    "replay seat", ".notes, .result, .sums, .past", "Content-Type", "(pointer: coarse)",
    ".stage, .felt, .sought, .middle, .layer, .said, .hidden, .own, .own small, .act, .hand, select, input",
    "use strict", "small, span", ".cards i, .hands td, .tricks td", ".moved tbody tr", ".hands tbody tr",
    ".top, main", "script, link", "<p class=live><span role=status></span> <span></span> <button></button>",
    ".tricks tbody tr", "played die", "played parcel", "card back", "select, [type=range]", "Papayoo",
    "mark seat0 0", "(prefers-reduced-motion: no-preference)",
    ".felt, .sought, .middle, .layer, p:not(.small), .steps, input, select, .controls > button, .holds, "
    ".graph",
}  # fmt: skip
"""What looks like words: selectors, classes, and what is the same in all languages."""


@dataclass(frozen=True)
class All:
    """The files of all folders, in a language."""

    paths: dict[str, str]
    contents: dict[str, bytes]

    @classmethod
    def of(cls, language: Language = ENGLISH) -> All:
        with writing_in(tongue(language)):
            common, own = (Assets(language, folder) for folder in FOLDERS)
        return cls({**common.paths, **own.paths}, {**common.contents, **own.contents})


@pytest.fixture(scope="module")
def french() -> All:
    return All.of(FRENCH)


def script(assets: All, name: str) -> str:
    return assets.contents[assets.paths[name]].decode()


def places(sentence: str) -> list[str]:
    """The places of a sentence, without what is written in them."""
    found = re.findall(r"\$\{[^}]*\}", PLURAL.sub("", sentence))
    return sorted(re.sub(r'"[^"]*"', '""', one.replace('.toLocaleString("fr")', "")) for one in found)


def elements(sentence: str) -> list[str]:
    """The tags of a sentence, without what is read out."""
    return [
        re.sub(r' aria-label=(?:"[^"]*"|[\w-]+)', " aria-label", tag) for tag in re.findall("<.*?>", sentence)
    ]


def tokens(text: str) -> Iterator[tuple[bool, str]]:
    """The parts of a script, blanks left out, and whether each is a literal of words; a template is one."""
    template, inside = "", 0
    for kind, value in JavascriptLexer().get_tokens(text):
        if kind is String.Interpol:
            inside += 1 if value == "${" else -1
        if kind is String.Backtick and value == "`" and not inside:
            if template:
                yield True, f"{template}`"
            template = "" if template else "`"
        elif template:
            template += value
        elif kind not in Whitespace and kind not in Comment:
            yield kind in (String.Double, String.Single), value


def code(text: str) -> list[str]:
    """What a script does, without its words."""
    return ['""' if words else value for words, value in tokens(text)]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_of_a_script_is_translated_with_the_same_places(sentence: str) -> None:
    translation = catalogue(FRENCH).gettext(sentence)
    words = re.sub(r"\$\{.*?\}", "", sentence)
    assert translation != sentence or sentence in ALIKE or not re.search(r"[^\W\d_]{2}", words)
    assert places(translation) == places(sentence)
    assert set(PLURAL.findall(translation)) <= set(re.findall(r"[\w.]+", sentence))
    assert elements(translation) == elements(sentence)


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_the_tools_of_translators_find_every_sentence(name: str) -> None:
    found = extract_javascript(io.BytesIO(SCRIPTS[name].encode()), {"_": None}, [], {})
    assert [str(message) for _, _, message, _ in found] == SENTENCE.findall(SCRIPTS[name])


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_words_of_a_script_are_left_out(name: str) -> None:
    assert [text for text in untagged(SCRIPTS[name]) if text not in NO_SENTENCES] == []


def untagged(text: str) -> Iterator[str]:
    """The literals of a script that are no sentences, but have two words or a capitalised one."""
    before = ""
    for words, value in tokens(text):
        if words and before != "_":
            inside = re.findall(r"\$\{[^}]*\}", value) if value.startswith("`") else []
            pieces = [re.sub(r"\$\{[^}]*\}", "0", value[1:-1])]
            pieces += [quoted for place in inside for quoted in re.findall(r'"([^"]*)"', place)]
            yield from filter(re.compile(r"[^\W\d_]{2,}[,:;]? [^\W\d_]{2,}|\b[A-Z][a-z]+").search, pieces)
        before = value


def test_words_that_were_left_out_would_be_seen() -> None:
    text = 'f("one two", `${n} Cards`, _`Card table`, `a${b ? "Nothing left" : ""}`, "a-b c")'
    assert list(untagged(text)) == ["one two", "0 Cards", "Nothing left"]


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_french_script_does_what_the_english_one_does(name: str, french: All) -> None:
    english, own = script(All.of(), name), script(french, name)
    assert english != own
    assert french.paths[name].startswith(f"static/{name.removesuffix('.js')}-fr.")
    assert "_`" not in english + own
    reads = r'.replace(/\s(?=\d{3})/g, "").replace(",", ".")'
    # The names of forms to copy are keys of an object.
    expected = english.replace('.replace(/,/g,"")', reads).replace("={text:", "={texte:")
    assert code(own) == code(expected)


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_french_script_is_a_script(name: str, french: All, tmp_path: Path) -> None:
    (tmp_path / "script.js").write_text(script(french, name), encoding="utf-8")
    node("--check", str(tmp_path / "script.js"))


def node(*arguments: str) -> str:
    if not which("node"):
        pytest.skip("no node here")
    done = subprocess.run(["node", *arguments], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout


ENGLISH_CELLS = {
    "1,920.5": 1920.5, "−3.1": -3.1, "1.25 s": 1250, "120 ms": 120, "61.50 ± 1.2": 61.5,
    "12,345,678": 12345678, "3 of 10": 3, "–": None, "": None,
}  # fmt: skip
FRENCH_CELLS = {
    "1\u202f920,5": 1920.5, "−3,1": -3.1, "1,25 s": 1250, "1,25\u00a0s": 1250, "120 ms": 120,
    "61,50 ± 1,2": 61.5, "12\u202f345\u202f678": 12345678, "3 sur 10": 3, "–": None, "": None,
}  # fmt: skip


@pytest.mark.parametrize("cells", [ENGLISH_CELLS, FRENCH_CELLS], ids=["English", "French"])
def test_tables_are_sorted_by_the_numbers_of_their_language(
    cells: dict[str, float | None], french: All
) -> None:
    board = script(french if cells is FRENCH_CELLS else All.of(), "board.js")
    (reads,) = re.findall(r"const text=node.*?(?=const bodies=)", board)
    asked = json.dumps([{"textContent": cell} for cell in cells])
    answer = node("-e", f"{reads}console.log(JSON.stringify({asked}.map(one=>value(text(one)))))")
    assert dict(zip(cells, json.loads(answer), strict=True)) == cells


def test_only_play_and_pause_are_written_on_their_buttons(french: All) -> None:
    """replay.js knows them by their first letter, so the others must not begin like that."""
    for assets in (All.of(), french):
        titles = re.findall(r'\["([^"]+)","(?:M\d[^"]*|)"[],]', script(assets, "replay.js"))
        assert len(titles) == 8, "one of a list, Pause, Play, and the five buttons"
        assert [title[0] == "P" for title in titles] == [False, True, True, False, False, True, False, False]


def test_french_pages_load_no_more_than_others(french: All) -> None:
    sizes = {name: len(script(french, name).encode()) for name in SCRIPTS}
    assert sizes["live.js"] < 3_600
    shared = sum(sizes[name] for name in ("cards.js", "chunks.js", "replay.js", "live.js"))
    assert shared < 24 * 1024, sizes


def test_what_has_no_words_is_one_file_for_all_languages(french: All) -> None:
    for name in ("site.css", "table.css", "icon.svg"):
        assert french.paths[name] == All.of().paths[name]

"""The rules in every language say the same as in English: each part, number and card, and nothing reversed.

What the words of a language are is written here once more, by hand: a text file cannot be its own witness.
"""

from __future__ import annotations

import re
import unicodedata
from importlib.resources import files

import pytest

from arena.papayoo import PAPAYOO_POINTS, POINTS_PER_ROUND
from reports.translations import ENGLISH, LANGUAGES, Language, sentences

TRANSLATIONS = [language for language in LANGUAGES if language is not ENGLISH]
CARD = re.compile(r"(?<![A-Za-z0-9])[SHDCP]\d+")
NAMES = re.compile(r"\{\w+\}|(?<![A-Za-z])(?:Papayoo|Payoo|[SHDC](?!\w))(?![A-Za-z])")

FEWEST = {
    "en": "fewest points",
    "bg": "най-малко точки",
    "cs": "nejméně bodů",
    "da": "færrest point",
    "de": "wenigsten Punkte",
    "el": "λιγότερους πόντους",
    "es": "menos puntos",
    "et": "kõige vähem punkte",
    "fi": "vähiten pisteitä",
    "fr": "le moins de points",
    "hr": "najmanje bodova",
    "hu": "legkevesebb pont",
    "it": "meno punti",
    "ko": "가장 적",
    "lt": "mažiausiai taškų",
    "lv": "vismazāk punktu",
    "nl": "minste punten",
    "pl": "najmniej punktów",
    "pt": "menos pontos",
    "ru": "меньше всего очков",
    "sk": "najmenej bodov",
    "sl": "najmanj točk",
    "sr-Cyrl": "најмање поена",
    "sv": "minst poäng",
    "zh-Hans": "得分最少",
    "zh-Hant": "得分最少",
}
"""Who wins, by language."""

MOST = {
    "en": "most",
    "bg": "най-много",
    "cs": "nejvíc",
    "da": "flest",
    "de": "meisten",
    "el": "περισσότερ",
    "es": "más",
    "et": "rohkem|enim",
    "fi": "eniten",
    "fr": "plus",
    "hr": "najviše",
    "hu": "legtöbb",
    "it": "più",
    "ko": "많",
    "lt": "daugiausia",
    "lv": "visvairāk",
    "nl": "meeste",
    "pl": "najwięcej",
    "pt": "mais",
    "ru": "больше",
    "sk": "najviac",
    "sl": "največ",
    "sr-Cyrl": "највише",
    "sv": "mest|flest",
    "zh-Hans": "最多|最高",
    "zh-Hant": "最多|最高",
}
"""Who loses: words that no sentence on the winner may have."""

WINS = {
    "en": "win",
    "bg": "Печели",
    "cs": "Vyhrává",
    "da": "vinder",
    "de": "gewinn",
    "el": "Νικά",
    "es": "Gana",
    "et": "Võidab",
    "fi": "voittaa",
    "fr": "gagne",
    "hr": "Pobjeđuje",
    "hu": "nyer",
    "it": "Vince",
    "ko": "이깁니다",
    "lt": "Laimi",
    "lv": "Uzvar",
    "nl": "win",
    "pl": "Wygrywa",
    "pt": "Ganha",
    "ru": "Побеждает",
    "sk": "Vyhráva",
    "sl": "Zmaga",
    "sr-Cyrl": "Побеђује",
    "sv": "vinner",
    "zh-Hans": "获胜",
    "zh-Hant": "獲勝",
}

LED_SUIT = {
    "en": "of the led suit",
    "bg": "от исканата боя",
    "cs": "vynesené barvy",
    "da": "i den udspillede farve",
    "de": "der ausgespielten Farbe",
    "el": "του χρώματος που άνοιξε",
    "es": "del palo de salida",
    "et": "väljakäidud masti",
    "fi": "aloitetun maan",
    "fr": "de la couleur demandée",
    "hr": "tražene boje",
    "hu": "a hívott szín",
    "it": "del seme di apertura",
    "ko": "처음 나온 무늬",
    "lt": "pradėtos rūšies",
    "lv": "sākuma masta",
    "nl": "van de gevraagde kleur",
    "pl": "w kolorze wyjścia",
    "pt": "do naipe de saída",
    "ru": "масти захода",
    "sk": "vynesenej farby",
    "sl": "zahtevane barve",
    "sr-Cyrl": "тражене боје",
    "sv": "i den utspelade färgen",
    "zh-Hans": "领出花色",
    "zh-Hant": "領出花色",
}
"""The suit that must be followed and that takes the trick, as in "the highest card of the led suit"."""

HIGHEST = {
    "en": "highest card",
    "bg": "най-високата карта",
    "cs": "nejvyšší karta",
    "da": "højeste kort",
    "de": "höchste Karte",
    "el": "ψηλότερο χαρτί",
    "es": "carta más alta",
    "et": "kõrgeim kaart",
    "fi": "korkein kortti",
    "fr": "plus forte carte",
    "hr": "najviša karta",
    "hu": "legmagasabb lapja",
    "it": "carta più alta",
    "ko": "가장 높",
    "lt": "aukščiausia",
    "lv": "augstākā",
    "nl": "hoogste kaart",
    "pl": "najwyższa karta",
    "pt": "carta mais alta",
    "ru": "старшая карта",
    "sk": "najvyššia karta",
    "sl": "najvišja karta",
    "sr-Cyrl": "највиша карта",
    "sv": "högsta kortet",
    "zh-Hans": "最大的牌",
    "zh-Hant": "最大的牌",
}

LEFT_AND_RIGHT = {
    "en": ("to the left", "from the right"),
    "bg": ("наляво", "отдясно"),
    "cs": ("doleva", "zprava"),
    "da": ("til venstre", "fra højre"),
    "de": ("nach links", "von rechts"),
    "el": ("στα αριστερά", "από τα δεξιά"),
    "es": ("a la izquierda", "de la derecha"),
    "et": ("vasakule", "paremalt"),
    "fi": ("vasemmalle", "oikealta"),
    "fr": ("à gauche", "de droite"),
    "hr": ("ulijevo", "zdesna"),
    "hu": ("balra", "jobbról"),
    "it": ("a sinistra", "da destra"),
    "ko": ("왼쪽으로", "오른쪽에서"),
    "lt": ("į kairę", "iš dešinės"),
    "lv": ("pa kreisi", "no labās"),
    "nl": ("naar links", "van rechts"),
    "pl": ("w lewo", "z prawej"),
    "pt": ("à esquerda", "da direita"),
    "ru": ("налево", "справа"),
    "sk": ("doľava", "sprava"),
    "sl": ("v levo", "z desne"),
    "sr-Cyrl": ("налево", "здесна"),
    "sv": ("till vänster", "från höger"),
    "zh-Hans": ("左边", "右边"),
    "zh-Hant": ("左邊", "右邊"),
}
"""Where cards are passed to, and where others come from."""

SCRIPTS = {
    "bg": "CYRILLIC",
    "el": "GREEK",
    "ko": "HANGUL",
    "ru": "CYRILLIC",
    "sr-Cyrl": "CYRILLIC",
    "zh-Hans": "CJK UNIFIED",
    "zh-Hant": "CJK UNIFIED",
}
"""All others are Latin."""

LETTERS = {
    "bg": "ъщ",
    "cs": "ěř",
    "da": "æø",
    "de": "äü",
    "es": "óé",
    "et": "õä",
    "fi": "ä",
    "fr": "çé",
    "hr": "đć",
    "hu": "őű",
    "it": "ùò",
    "lt": "ėų",
    "lv": "āņ",
    "nl": "ij",
    "pl": "łż",
    "pt": "ãç",
    "ru": "ыэ",
    "sk": "ľť",
    "sl": "čš",
    "sr-Cyrl": "јљ",
    "sv": "åä",
    "zh-Hans": "张轮数",
    "zh-Hant": "張輪數",
}
"""Letters that tell a language from its neighbours; each file has one of them at least."""

ENGLISH_WORDS = re.compile(
    r"\b(?:the|cards?|suits?|tricks?|players?|rounds?|whoever|which|highest|leads)\b", re.I
)


@pytest.fixture(params=LANGUAGES, ids=lambda language: language.tag)
def language(request: pytest.FixtureRequest) -> Language:
    found = request.param
    assert isinstance(found, Language)
    return found


def test_every_language_of_the_box_is_there() -> None:
    assert len(LANGUAGES) == len({language.tag for language in LANGUAGES}) == 26
    folder = files("reports").joinpath("rules")
    assert {entry.name for entry in folder.iterdir()} == {f"{one.file}.toml" for one in LANGUAGES}
    for table in (FEWEST, MOST, WINS, LED_SUIT, HIGHEST, LEFT_AND_RIGHT):
        assert set(table) == {language.tag for language in LANGUAGES}


def test_every_part_is_there(language: Language) -> None:
    said, english = sentences(language), sentences(ENGLISH)
    assert list(said) == list(english), "the same keys in the same order"
    assert [key for key, text in said.items() if not text.strip()] == (
        ["proofread"] if language is ENGLISH else []
    ), "only the English text was proofread"


def test_every_number_card_and_place_is_there(language: Language) -> None:
    said, english = sentences(language), sentences(ENGLISH)
    for key, text in english.items():
        for what in (r"\{\w+\}", CARD.pattern, r"(?<!\w)[SHDC](?![\w’])"):
            assert sorted(re.findall(what, said[key])) == sorted(re.findall(what, text)), key
        if key != "title":  # a minute may be a 1
            numbers = [set(re.findall(r"\d+", CARD.sub("", one))) for one in (said[key], text)]
            assert numbers[0] == numbers[1], key


def test_the_numbers_are_those_of_the_rules() -> None:
    said = sentences(ENGLISH)
    assert f"counts {PAPAYOO_POINTS}." in said["points.papayoo"]
    assert f"{POINTS_PER_ROUND} points in all" in said["points.rest"]


def test_the_fewest_points_win(language: Language) -> None:
    said = sentences(language)
    for key in ("goal", "match.goal"):
        assert WINS[language.tag] in said[key], key
    for key in ("goal", "match.goal", "example.result"):
        text = said[key].lower()
        assert FEWEST[language.tag].lower() in text, key
        assert not re.search(MOST[language.tag], text), key


def test_only_the_led_suit_takes_a_trick(language: Language) -> None:
    said = sentences(language)
    for key in ("round.follow", "round.take", "trick.void", "trick.take"):
        assert LED_SUIT[language.tag].lower() in said[key].lower(), key
    for key in ("round.take", "trick.take"):
        first = re.split(r"[.。](?!\w)", said[key].lower())[0]
        assert HIGHEST[language.tag].lower() in first, key
        assert LED_SUIT[language.tag].lower() in first, "the card and its suit are in one sentence"


def test_cards_are_passed_to_the_left(language: Language) -> None:
    left, right = LEFT_AND_RIGHT[language.tag]
    text = sentences(language)["round.pass"]
    assert -1 < text.find(left) < text.find(right), "they go to the left, and others come from the right"


@pytest.mark.parametrize("language", TRANSLATIONS, ids=lambda language: language.tag)
def test_nothing_is_left_in_english(language: Language) -> None:
    said, english = sentences(language), sentences(ENGLISH)
    assert not [
        key for key, text in said.items() if " " in NAMES.sub("", text).strip() and text == english[key]
    ]
    assert not [key for key, text in said.items() if ENGLISH_WORDS.search(re.sub(r"\{\w+\}", "", text))]


@pytest.mark.parametrize("language", TRANSLATIONS, ids=lambda language: language.tag)
def test_each_is_in_its_own_script_and_letters(language: Language) -> None:
    texts = [NAMES.sub("", CARD.sub("", text)) for text in sentences(language).values()]
    script = SCRIPTS.get(language.tag, "LATIN")
    for text in texts:
        others = {c for c in text if c.isalpha() and not unicodedata.name(c).startswith(script)}
        assert not others, text
    together = "".join(texts)
    if language.tag in LETTERS:
        assert all(letter in together for letter in LETTERS[language.tag])
    for other, letters in (("zh-Hans", "张轮数发这"), ("zh-Hant", "張輪數發這")):
        if language.tag not in (other, "ko"):
            assert not set(letters) & set(together)


def test_sentences_are_set_as_they_should_be(language: Language) -> None:
    end = "。" if language.tag.startswith("zh") else "."
    for key, text in sentences(language).items():
        assert text == text.strip()
        assert not re.search(r"  |['\"`]|\.\.\.| [,.]", text), key
        part, _, name = key.rpartition(".")
        if key in ("about", "goal") or (part in ("points", "round", "match") and name != "heading"):
            assert text.endswith(end), key
        if language.tag == "fr":
            assert not re.search(r"(?<!\u00a0)[:;!?]", text), (
                "a space that does not break stands before these"
            )

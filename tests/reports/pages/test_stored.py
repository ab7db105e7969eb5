"""English texts from the database are marked as such on pages in another language, and only there."""

from __future__ import annotations

from pathlib import Path

from arena.store.history import TIME_IS_UP, LogLine
from arena.store.writer import Writer
from reports import ReportOptions, write_site
from tests.reports import played
from tests.reports.parsed import parsed
from tests.reports.played import League

SAID = "a run ended after max_hours = 2; the next run resumes"
WARNED = "a copy was changed"


def test_what_the_database_says_is_english_on_a_french_page(tmp_path: Path) -> None:
    with played.play(tmp_path / "a.db", League(cycles=2, matches=9)) as database:
        writer = Writer(database)
        writer.log(LogLine(played.START * 2, "info", TIME_IS_UP, SAID))
        writer.log(LogLine(played.START + 1, "warning", "run", WARNED))
        write_site(database, tmp_path / "site", ReportOptions(languages=("en", "fr")))
    for name, text, around in (("method", SAID, "pas encore ; "), ("health", WARNED, " ")):
        page = parsed((tmp_path / "site" / "fr" / f"{name}.html").read_text()).one("main")
        (marked,) = [part for part in page.all("span") if part.text == text]
        assert marked.attributes["lang"] == "en"
        assert f"{around}{text}" in page.text
        english = (tmp_path / "site" / f"{name}.html").read_text()
        assert text in english
        assert "<span lang" not in english

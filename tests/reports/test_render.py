"""What templates may print."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader, UndefinedError

from reports.catalogues import FRENCH
from reports.render import Page, Renderer, Site
from reports.translations import ENGLISH, Language


def rendered(
    template: str, data: object, monkeypatch: pytest.MonkeyPatch, language: Language = ENGLISH
) -> str:
    loader = DictLoader({"page": template})
    monkeypatch.setattr("reports.render.PackageLoader", lambda package: loader)
    site = Site("League", (), "x.css", "x.svg", language=language)
    return Renderer(site).render(Page("a/b.html", "page", "", "", data)).decode()


def test_everything_printed_is_escaped_and_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rendered("{{ data }}", "<b>\u202e", monkeypatch).endswith("&lt;b&gt;\\u202e")


def test_only_quotes_stand_as_they_are_in_content(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = rendered("{{ data|content }}", '{"<script>": "&#34;\u202e\\"\'"}', monkeypatch)
    assert shown.endswith('{"&lt;script&gt;": "&amp;#34;\\u202e\\"&#39;"}')


@pytest.mark.parametrize("value", [None, 1.5])
def test_what_has_no_form_of_its_own_is_refused(value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="choose what to show"):
        rendered("{{ data }}", value, monkeypatch)


def test_a_missing_field_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UndefinedError):
        rendered("{{ data.lost }}", "text", monkeypatch)


def test_a_page_knows_the_way_to_the_root() -> None:
    roots = [Page(path, "", "", "", None).root for path in ("index.html", "matches/1.html", "a/b/c.html")]
    assert roots == ["", "../", "../../"]


@pytest.mark.parametrize("printed", ["data|stored", "data|content|stored"])
def test_what_is_stored_says_on_a_page_in_another_language_that_it_is_english(
    printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = f"<p>{{{{ {printed} }}}}</p>"
    assert rendered(template, "é & <\u202e", monkeypatch).endswith("\n<p>é &amp; &lt;\\u202e</p>")
    said = "\n<p><span lang=en>é &amp; &lt;\\u202e</span></p>"
    assert rendered(template, "é & <\u202e", monkeypatch, FRENCH).endswith(said)
    assert rendered(template, "", monkeypatch, FRENCH).endswith("\n<p></p>")

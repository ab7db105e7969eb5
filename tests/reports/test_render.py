"""What templates may print."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader, UndefinedError

from arena.translating import writing_in
from reports.catalogues import FRENCH, tongue
from reports.render import Page, Renderer, Site, environment_of
from reports.translations import ENGLISH, Language


def rendered(template: str, data: object, language: Language = ENGLISH) -> str:
    site = Site("League", (), "x.css", "x.svg", language=language)
    with writing_in(tongue(language)):
        renderer = Renderer(site, environment_of(DictLoader({"page": template})))
        return renderer.render(Page("a/b.html", "page", "", "", data)).decode()


def test_everything_printed_is_escaped_and_visible() -> None:
    assert rendered("{{ data }}", "<b>\u202e").endswith("&lt;b&gt;\\u202e")


def test_only_quotes_stand_as_they_are_in_content() -> None:
    shown = rendered("{{ data|content }}", '{"<script>": "&#34;\u202e\\"\'"}')
    assert shown.endswith('{"&lt;script&gt;": "&amp;#34;\\u202e\\"&#39;"}')


@pytest.mark.parametrize("value", [None, 1.5])
def test_what_has_no_form_of_its_own_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="choose what to show"):
        rendered("{{ data }}", value)


def test_a_missing_field_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        rendered("{{ data.lost }}", "text")


def test_a_page_knows_the_way_to_the_root() -> None:
    roots = [Page(path, "", "", "", None).root for path in ("index.html", "matches/1.html", "a/b/c.html")]
    assert roots == ["", "../", "../../"]


@pytest.mark.parametrize("printed", ["data|stored", "data|content|stored"])
def test_what_is_stored_says_on_a_page_in_another_language_that_it_is_english(
    printed: str,
) -> None:
    template = f"<p>{{{{ {printed} }}}}</p>"
    assert rendered(template, "é & <\u202e").endswith("\n<p>é &amp; &lt;\\u202e</p>")
    said = "\n<p><span lang=en>é &amp; &lt;\\u202e</span></p>"
    assert rendered(template, "é & <\u202e", FRENCH).endswith(said)
    assert rendered(template, "", FRENCH).endswith("\n<p></p>")

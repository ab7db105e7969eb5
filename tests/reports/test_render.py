"""What templates may print."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader, UndefinedError

from reports.render import Assets, Page, Renderer, Site, environment_of


def rendered(template: str, data: object) -> str:
    renderer = Renderer(Site("League", Assets({}, {})), environment_of(DictLoader({"page": template})))
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

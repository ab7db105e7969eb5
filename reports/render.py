"""Turns page data into HTML: the only module that knows Jinja. It reads no database and writes no file.

Everything that templates print is escaped, and invisible characters are written out (`text.visible`),
wherever they came from: no template has to think of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from arena.score import words
from arena.wording import counted
from reports import text
from reports.pages.cells import card, card_name, hand_rows, others_cells, told, trick_rows, worked_rows


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning that belongs on every page: its subject, and a sentence or two."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages of a season share: the league's name, its warnings, the paths of its static files.

    Where there are other seasons, `season`: what this one is called, `seasons`: the path of the page of all,
    `newest`: that of the first page of the newest, empty if this is it. Paths are from the season's folder.
    """

    league: str
    notices: tuple[Notice, ...]
    stylesheet: str
    icon: str
    scripts: Mapping[str, str] = field(default_factory=dict)
    season: str = ""
    seasons: str = ""
    newest: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One page to be made: `path` from the site's folder, `data` for the template of that name.

    `section`: its entry in the navigation. `fingerprint`: a digest of everything that the page is made
    from, if it is known without making the page; it stands at the page's beginning. `lang`: the language of
    its main part, as in BCP 47, where it is not English.
    """

    path: str
    template: str
    title: str
    section: str
    data: object
    fingerprint: str = ""
    lang: str = ""

    @property
    def root(self) -> str:
        """Return the path from this page to the site's folder: "" or "../"."""
        return "../" * self.path.count("/")


class Renderer:
    """Makes pages of one site. The same site and page give the same bytes."""

    def __init__(self, site: Site, environment: Environment | None = None) -> None:
        self._site = site
        self._environment = environment or _own()

    def prepare(self, *templates: str) -> None:
        """Compile templates now, so that no forked process has to do it."""
        for template in templates:
            self._environment.get_template(template)

    def render(self, page: Page) -> bytes:
        """Return the page as UTF-8. jinja2.TemplateError if a template asks for what the data lacks."""
        template = self._environment.get_template(page.template)
        html = template.render(site=self._site, page=page, data=page.data)
        return beginning(page.fingerprint) + html.encode()


@cache
def _own() -> Environment:
    """Return the environment of our templates: what it has compiled serves all seasons."""
    return environment_of(PackageLoader("reports"))


def environment_of(templates: BaseLoader) -> Environment:
    """Return an environment whose templates print and say everything as ours do."""
    made = Environment(
        loader=templates,
        autoescape=True,
        # A template that asks for what the data lacks must fail, not print nothing.
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # else it looks at the files of its templates again at every page
        optimized=False,  # it would take longer to find constant expressions than they take
    )
    made.globals.update(
        about_interval=words.about_interval, about_sure=words.ABOUT_SURE,
        session=words.SESSION, cycle=words.CYCLE, phase=words.PHASE,
    )  # fmt: skip
    made.filters.update(
        points=text.points, number=text.number, ms=text.milliseconds,
        content=_content, counted=counted, card=card, cardname=card_name, told=told,
        hands=hand_rows, tricks=trick_rows, others=others_cells, worked=worked_rows,
    )  # fmt: skip
    return made


def beginning(fingerprint: str) -> bytes:
    """Return the first bytes of a page, which tell it from an older one without making it again."""
    comment = f"<!-- made from {fingerprint} -->\n" if fingerprint else ""
    return f"<!doctype html>\n{comment}".encode()


def _content(value: str) -> Markup:
    """Return text as the content of an element, where quotes mean nothing.

    Pages of JSON get half as long without escaped quotes.
    """
    return Markup(str(escape(text.visible(value))).replace("&#34;", '"'))  # noqa: S704 - escaped just here


def _printable(value: object) -> object:
    """Return what Jinja prints for a value of a template.

    TypeError for None and floats: both would be printed in a form that nobody chose.
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return text.visible(value)
    if value is None or isinstance(value, float):
        raise TypeError(f"a template prints {value!r}: choose what to show, or a number's form")
    return value

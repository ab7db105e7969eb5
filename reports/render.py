"""Turns page data into HTML: the only module that knows Jinja. It reads no database and writes no file.

Everything that templates print is escaped, and invisible characters are written out (`text.visible`),
wherever they came from: no template has to think of it.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from rjsmin import jsmin

from arena.score import words
from arena.wording import counted
from reports import text
from reports.pages.cards import card, card_name, told
from reports.pages.example_round import worked_rows
from reports.pages.listing import STATE_WORDS, margin, match_path, session_name

_POLICY = (
    "default-src 'none';style-src {style};script-src {script};img-src 'self';connect-src 'self';"
    "base-uri 'none';form-action 'none'"
)


@dataclass(frozen=True, slots=True)
class Assets:
    """The static files of pages, named by their content, so that no browser shows an old one.

    `paths`: where each file ("site.css") is in the site; `contents`: its bytes, by that path.
    """

    paths: Mapping[str, str]
    contents: Mapping[str, bytes] = field(repr=False)

    @classmethod
    def read(cls, *folders: str) -> Assets:
        """Read the files of these folders of this package, by default those of every site."""
        paths: dict[str, str] = {}
        contents: dict[str, bytes] = {}
        for folder in folders or ("static",):
            for file in sorted(files("reports").joinpath(folder).iterdir(), key=lambda entry: entry.name):
                content = file.read_text(encoding="utf-8")
                if file.name.endswith(".js"):  # without comments and blanks, which browsers do not need
                    content = f"{jsmin(content)}\n"
                stem, _, suffix = file.name.partition(".")
                digest = hashlib.sha256(content.encode()).hexdigest()[:12]
                paths[file.name] = path = f"static/{stem}.{digest}.{suffix}"
                contents[path] = content.encode()
        return cls(paths, contents)

    def content(self, name: str) -> str:
        """Return the text of a file; KeyError if there is none."""
        return self.contents[self.paths[name]].decode()


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning that belongs on every page: its subject, and a sentence or two."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages of a season share: the league's name, its warnings, the static files.

    `up`: the way from the season's folder to that of the static files. `inside`: whether a page holds the
    styles and scripts that it needs, and links to no other page. Where there are other seasons, `season`:
    what this one is called, `seasons`: the path of the page of all, `newest`: that of the first page of the
    newest, empty if this is it. Paths are from the season's folder.
    """

    league: str
    assets: Assets
    notices: tuple[Notice, ...] = ()
    up: str = ""
    inside: bool = False
    season: str = ""
    seasons: str = ""
    newest: str = ""

    @property
    def policy(self) -> Markup:
        """Return what a page may load and run: files beside it, or what is inside it and is ours."""
        if not self.inside:
            return Markup(_POLICY.format(style="'self'", script="'self'"))  # noqa: S704 - words of ours
        digests: dict[str, list[str]] = {"css": [], "js": []}
        for name in self.assets.paths:
            if (kind := name.rpartition(".")[2]) in digests:
                digest = b64encode(hashlib.sha256(self.assets.content(name).encode()).digest()).decode()
                digests[kind].append(f"'sha256-{digest}'")
        styles, scripts = (" ".join(digests[kind]) for kind in ("css", "js"))
        return Markup(_POLICY.format(style=styles, script=scripts))  # noqa: S704 - words of ours

    def path(self, root: str, name: str) -> str:
        """Return the path of a static file from a page with this way to the season's folder."""
        return f"{root}{self.up}{self.assets.paths[name]}"

    def style(self, root: str, name: str) -> Markup:
        """Return the tag of a style sheet. Our own files hold no end of such a tag."""
        if self.inside:
            return Markup(f"<style>{self.assets.content(name)}</style>")  # noqa: S704 - a file of ours
        return Markup("<link rel=stylesheet href={}>").format(self.path(root, name))

    def script(self, root: str, name: str) -> Markup:
        """Return the tag of a script."""
        if self.inside:
            return Markup(f"<script>{self.assets.content(name)}</script>")  # noqa: S704 - a file of ours
        return Markup("<script src={}></script>").format(self.path(root, name))


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
        session=words.SESSION, cycle=words.CYCLE, phase=words.PHASE, state_words=STATE_WORDS,
    )  # fmt: skip
    made.filters.update(
        points=text.points, number=text.number, ms=text.milliseconds, minute=text.minute,
        content=_content, counted=counted, card=card, cardname=card_name, told=told, worked=worked_rows,
        match_path=match_path, session_name=session_name, margin=margin,
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

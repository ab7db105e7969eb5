"""Pages that follow a league, in a real browser: they show what is new and keep what their reader chose.

The pages of three moments of one league are made once. A test serves those of the first, and lays those of
another over them while the browser shows them.
"""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.cli.organiser.page_server import Liveliness, PageServer
from reports import write_site
from tests.reports import played
from tests.reports.browsing import log, requests, show
from tests.reports.played import FIVE, League

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

MOMENTS = {"early": 13, "later": 37, "last": 40}
"""The numbers of matches that are finished."""

LINE = "return document.querySelector('.live')?.innerText.replace(/\\s+/g, ' ') || ''"
COUNT = "return document.querySelector('.lists span').textContent"
NAMES = """return [...document.querySelectorAll('.standings tbody tr')].filter(row => !row.hidden)
    .map(row => row.querySelector('bdi').textContent)"""
NUMBERS = (
    "return [...document.querySelectorAll('.list tbody tr')].map(row => Number(row.cells[0].textContent))"
)
CHOOSE = """for (const [name, value] of Object.entries(arguments[0])) {
  const field = document.querySelector(`.filters [name=${name}]`);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folder of the pages of each moment."""
    folder = tmp_path_factory.mktemp("live")
    for name, matches in MOMENTS.items():
        league = League(bots=FIVE, cycles=2, matches=matches, seed="s")
        with played.play(folder / f"{name}.db", league) as database:
            write_site(database, folder / name)
    return {name: folder / name for name in MOMENTS}


class Live:
    """A league that is being played, and its server, which can be stopped and started again."""

    def __init__(self, folder: Path, moments: dict[str, Path]) -> None:
        self.folder = folder
        self.running = True
        self.later = 0.0
        self._moments = moments
        self._port = 0
        self._server: PageServer | None = None
        self.come_to("early")
        self.start()

    def come_to(self, moment: str) -> None:
        """Write the pages of a moment: each appears whole, as in a run."""
        source = self._moments[moment]
        for path in sorted(source.rglob("*.*")):
            target = self.folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target.with_name(".half"))
            target.with_name(".half").replace(target)

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a page."""
        page = self.folder / name
        text = page.read_text(encoding="utf-8")
        assert old in text
        page.with_name(".half").write_text(text.replace(old, new, 1), encoding="utf-8")
        page.with_name(".half").replace(page)

    def end(self) -> None:
        """Let the league be over for long."""
        self.running = False
        self.later = 1000.0

    def start(self) -> None:
        """Serve the pages, at the port of before."""
        liveliness = Liveliness(lambda: self.running, 1, lambda: time.monotonic() + self.later)
        self._server = server = PageServer(self.folder, self._port, liveliness)
        self._port = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()

    def stop(self) -> None:
        """Let the server be gone."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
        self._server = None

    @property
    def url(self) -> str:
        """The address of the first page."""
        return f"http://127.0.0.1:{self._port}/"


@pytest.fixture
def live(tmp_path: Path, moments: dict[str, Path], browser: Chrome) -> Iterator[Live]:
    league = Live(tmp_path / "site", moments)
    yield league
    # Nobody's pause is another test's.
    if browser.current_url.startswith(league.url):
        browser.execute_script("sessionStorage.clear()")
    show(browser, "about:blank")
    league.stop()


def wait(browser: Chrome, script: str, right: Callable[[Any], bool]) -> Any:
    """Wait until what a script returns is right. Return it."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, 30).until(lambda _: right(browser.execute_script(script)))
    return browser.execute_script(script)


@pytest.mark.slow
def test_the_list_keeps_its_filters_and_shows_what_is_new(browser: Chrome, live: Live) -> None:
    show(browser, f"{live.url}matches/#bot=greedy")
    before = wait(browser, NUMBERS, lambda numbers: 0 < len(numbers) < 13)
    browser.execute_script(CHOOSE, {"order": "new", "from": "1"})
    browser.execute_script("document.querySelector('[name=from]').focus(); window.before = true")
    live.come_to("later")
    after = wait(browser, NUMBERS, lambda numbers: len(numbers) > len(before))
    assert after == sorted(after, reverse=True)
    assert set(before) < set(after)
    wait(browser, COUNT, lambda count: count == "37")  # the page around the list is another file
    chosen = "return [...document.querySelectorAll('.filters [name]')].map(field => field.value)"
    assert browser.execute_script(chosen) == ["greedy", "", "", "1", "", "new"]
    assert browser.current_url.endswith("#bot=greedy&from=1&order=new")
    assert browser.execute_script("return document.activeElement.name + window.before") == "fromtrue"
    browser.find_element("css selector", ".filters button").click()
    assert wait(browser, NUMBERS, lambda numbers: len(numbers) == 37) == [*range(1, 38)]
    assert log(browser, "browser") == []


@pytest.mark.slow
def test_the_leaderboard_keeps_its_sorting_its_filter_and_where_one_types(
    browser: Chrome, live: Live
) -> None:
    show(browser, live.url)
    for _ in range(2):
        browser.execute_script("document.querySelectorAll('.standings thead button')[1].click()")
    field = browser.find_element("css selector", ".tools input")
    field.send_keys("PY")
    browser.execute_script("arguments[0].setSelectionRange(1, 2)", field)
    assert browser.execute_script(NAMES) == ["Moody", "Duck"]
    score = "return document.querySelector('.standings td.score').textContent"
    before = browser.execute_script(score)
    live.come_to("later")
    wait(browser, score, lambda shown: shown != before)
    assert browser.execute_script(NAMES) == ["Moody", "Duck"]
    assert browser.execute_script("return document.querySelectorAll('[aria-sort=descending]').length") == 1
    held = "const held = document.activeElement; return [held.value, held.selectionStart, held.selectionEnd]"
    assert browser.execute_script(held) == ["PY", 1, 2]
    field.send_keys("\b" * 3)
    assert browser.execute_script(NAMES) == ["Random", "Moody", "Low", "Greedy", "Duck"]
    bare = "return document.querySelectorAll('.sortable thead th:not(.chart):not(:has(button))').length"
    assert browser.execute_script(bare) == 0, "columns that have come can be sorted too"
    assert log(browser, "browser") == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["index", "bots/greedy", "matches/faults"])
def test_a_page_that_has_changed_is_like_one_loaded_whole(browser: Chrome, live: Live, name: str) -> None:
    main = "return document.querySelector('main').innerHTML"
    same = """const main = document.querySelector("main"), other = main.cloneNode(false);
        other.innerHTML = arguments[0];
        main.normalize(); // a line that was set off leaves two blanks side by side
        return other.isEqualNode(main)"""
    asked = "return performance.getEntriesByType('resource').filter(one => one.name === location.href).length"
    show(browser, f"{live.url}{name}.html")
    for moment in ("later", "last", "early", "last"):
        live.come_to(moment)
        before = browser.execute_script(asked)
        wait(browser, asked, lambda count, before=before: count > before + 1)  # type: ignore[misc]
    shown = browser.execute_script(main)
    browser.refresh()
    assert browser.execute_script(same, shown)
    assert log(browser, "browser") == []


@pytest.mark.slow
def test_a_pause_holds_on_all_pages_until_it_is_ended(browser: Chrome, live: Live) -> None:
    show(browser, f"{live.url}matches/")
    button = browser.find_element("css selector", ".live button")
    assert (button.aria_role, button.accessible_name) == ("button", "Pause updates")
    button.click()
    assert browser.execute_script(LINE).startswith("Updates are paused. As of ")
    live.come_to("later")
    time.sleep(2.5)
    assert browser.execute_script(COUNT) == "13"
    show(browser, f"{live.url}matches/faults.html")
    assert browser.execute_script(LINE).endswith("Resume updates")
    assert browser.execute_script(COUNT) == "37"
    live.come_to("last")
    time.sleep(1.5)
    assert browser.execute_script(COUNT) == "37"
    browser.find_element("css selector", ".live button").click()
    wait(browser, COUNT, lambda count: count == "40")
    assert "updated " in browser.execute_script(LINE)


@pytest.mark.slow
def test_the_last_state_is_shown_when_the_league_is_over(browser: Chrome, live: Live) -> None:
    show(browser, f"{live.url}matches/")
    live.come_to("last")
    live.end()
    said = wait(browser, LINE, lambda line: "not being played" in line)
    assert said.startswith("The league is not being played now. As of ")
    assert browser.execute_script(COUNT) == "40"
    assert log(browser, "browser") == []


@pytest.mark.slow
def test_a_server_that_goes_away_is_asked_again(browser: Chrome, live: Live) -> None:
    show(browser, f"{live.url}matches/")
    live.stop()
    assert "As of " in wait(browser, LINE, lambda line: line.startswith("No answer since "))
    live.come_to("later")
    live.start()
    wait(browser, COUNT, lambda count: count == "37")
    assert browser.execute_script(LINE).startswith("Live: updated ")
    assert {entry["source"] for entry in log(browser, "browser")} <= {"network"}, "it cannot be reached"


@pytest.mark.slow
def test_a_card_table_does_not_move_when_its_page_changes(browser: Chrome, live: Live) -> None:
    show(browser, f"{live.url}matches/replay.html#m1r1t2")
    state = """const table = document.querySelector("#replay"), { top } = table.getBoundingClientRect();
        return [table.kept, table.querySelector(".said").textContent, location.hash, Math.round(top)]"""
    browser.execute_script("document.querySelector('#replay').kept = 'kept'")
    before = wait(browser, state, lambda found: found[3] < 30)
    live.edit("matches/replay.html", "<article", "<p id=new>New, and long enough to take a line</p><article")
    wait(browser, "return document.querySelectorAll('#new').length", lambda count: count == 1)
    assert wait(browser, state, lambda found: abs(found[3] - before[3]) < 2)[:3] == before[:3]
    assert before[0] == "kept"
    browser.find_element("css selector", "#replay button[aria-label=Next]").click()
    assert browser.execute_script(state)[1] != before[1]
    assert log(browser, "browser") == []


@pytest.mark.slow
def test_the_line_is_accessible_and_has_room(browser: Chrome, axe: str, live: Live) -> None:
    show(browser, live.url, 320, "dark")
    assert browser.find_elements("css selector", ".live [role=status]")
    counting = browser.find_element("css selector", ".live span:nth-child(2)")
    assert counting.text.startswith("updated ")
    assert browser.execute_script("return arguments[0].closest('[aria-live], [role]')", counting) is None
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 320
    browser.execute_script(axe)
    found = browser.execute_async_script("axe.run(document).then(arguments[0])")
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == []


class _Counting(http.server.SimpleHTTPRequestHandler):
    """Any web server. `missing`: what it was asked for and does not have."""

    missing: list[str]

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Note it."""
        self.missing.append(self.path)
        super().send_error(code, message, explain)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.mark.slow
def test_other_servers_and_files_show_no_trace_of_it(browser: Chrome, moments: dict[str, Path]) -> None:
    _Counting.missing = []
    handler = functools.partial(_Counting, directory=str(moments["later"]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        requests(browser)
        for root in (f"http://127.0.0.1:{server.server_address[1]}", moments["later"].as_uri()):
            for name in ("index", "matches/index", "matches/replay", "bots/duck"):
                show(browser, f"{root}/{name}.html")
                assert browser.execute_script(LINE) == ""
        assert not [address for address in requests(browser) if "live." in address]
        show(browser, "about:blank")
        server.shutdown()
    assert _Counting.missing == []
    assert log(browser, "browser") == []

"use strict";
// The filters of the list of matches. They go over the matches of all its pages, which are loaded as scripts
// (a page opened from a file can load nothing else) once something is chosen. The choices stand in the address.
// A page that follows a league says "arena:swapped" when it has changed; then the matches are loaded anew.
(() => {
  const MOST = 200; // rows that are made at once: it is they that take time
  const form = document.querySelector(".filters"), said = form.querySelector("p");
  const list = document.querySelector(".list");
  if (!list) return; // nothing is finished yet of the numbers on this page
  const [own] = list.tBodies, box = list.closest(".scroll");
  const fields = [...form.querySelectorAll("[name]")], parts = [], [bots] = fields;
  const { format } = new Intl.NumberFormat("en");
  let loaded, most = MOST, made = new Map();
  window.papayoo = (part, rows) => { parts[part] = rows; };

  const make = (tag, ...inside) => {
    const element = document.createElement(tag);
    element.append(...inside);
    return element;
  };
  const button = (act, ...inside) => Object.assign(make("button", ...inside), { onclick: act });
  const found = make("tbody"), more = button(() => show(most + MOST), `Show ${MOST} more`), none = make("div");
  none.className = "none";
  box.after(none, more);
  const count = number => `${format(number)} match${number === 1 ? "" : "es"}`;
  const chosen = () => fields.filter(field => field.value).map(field => [field.name, field.value]);
  const margin = ({ 3: results }) => results.at(-1)[1] - results[0][1];
  const ORDERS = { near: margin, far: row => -margin(row), new: ([id]) => -id };

  const fits = choice => {
    // Of what is chosen, the place in the data.
    const [bot, other, fault] = fields.map(({ name, selectedIndex }) => (choice[name] ? selectedIndex - 1 : undefined));
    const sits = (row, one) => one === undefined || row[3].some(([who]) => who === one);
    const blamed = ([who, kind]) => (bot ?? who) === who && (!fault || kind === fault - 1);
    return row => sits(row, bot) && sits(row, other) && margin(row) >= (choice.from || 0)
      && margin(row) <= (choice.to || Infinity) && (fault === undefined || row[4].some(blamed));
  };

  const line = row => {
    const [id, session, note, results, faults] = row;
    const link = make("a", id), head = make("th", link), cell = make("td");
    link.href = `replay.html#m${id}`;
    head.scope = "row";
    cell.append(...results.map(([who, total]) => make("span", make("bdi", bots.options[who + 1].text), ` ${format(total)}`)));
    const sum = faults.reduce((sum, [, , many]) => sum + many, 0);
    if (sum) cell.append(Object.assign(make("em", `${sum} fault${sum > 1 ? "s" : ""}`), { className: "fault" }));
    if (note) cell.append(make("small", note));
    return make("tr", head, make("td", session), make("td", format(margin(row))), cell);
  };
  // Rows that are shown already stay, so that what is focused or selected in them does.
  const fill = rows => {
    const lines = new Map(rows.map(row => [`${row}`, row]).map(([key, row]) => [key, made.get(key) || line(row)]));
    const now = [...lines.values()];
    if (now.length !== found.rows.length || now.some((row, at) => row !== found.rows[at])) {
      const held = document.activeElement;
      found.replaceChildren(...now);
      if (held.isConnected) held.focus({ preventScroll: true });
    }
    made = lines;
  };
  // Nothing fits: which of the choices is to blame?
  const explain = (all, choice) => {
    const without = fields.filter(({ name, value }) => value && name !== "order").map(field => [
      field, all.filter(fits({ ...choice, [field.name]: "" })).length,
    ]).filter(([, left]) => left);
    none.replaceChildren(make("p", without.length ? "There are some if one choice goes:" : "Two choices or more have to go."));
    for (const [field, left] of without) {
      const leave = () => {
        field.value = "";
        field.focus();
        choose();
      };
      const value = make("bdi", field.selectedOptions?.[0].text ?? field.value);
      none.append(button(leave, `${field.labels[0].firstChild.data.trim()}: `, value, ` (then ${count(left)})`));
    }
    none.append(button(() => {
      clear();
      bots.focus();
    }, "Clear all"));
  };

  const load = path => new Promise(done => {
    const script = make("script");
    script.onload = script.onerror = () => done(script.remove());
    script.src = path;
    document.head.append(script);
  });
  const show = async (rows = MOST) => {
    const any = chosen().length, choice = Object.fromEntries(chosen());
    most = rows;
    if (any) await (loaded ||= Promise.all(form.dataset.scripts.trim().split(" ").map(load)));
    const all = parts.flat(), fit = all.filter(fits(choice)), key = ORDERS[choice.order], empty = any && !fit.length;
    if (key) fit.sort((one, other) => key(one) - key(other));
    document.querySelectorAll(".pages").forEach(pages => { pages.hidden = any; });
    if (any) fill(fit.slice(0, most));
    if (!any === found.isConnected) list.tBodies[0].replaceWith(any ? found : own);
    more.hidden = !any || fit.length <= most;
    box.hidden = empty;
    none.hidden = !empty;
    if (empty) explain(all, choice);
    const part = more.hidden ? "" : `, the first ${format(most)} shown`;
    const words = !any ? "" : empty ? "No match fits." : `${format(fit.length)} of ${count(all.length)}${part}`;
    if (said.textContent !== words) said.textContent = words;
  };
  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    fields.forEach(field => { field.value = asked.get(field.name) || ""; });
    show();
  };
  const choose = () => {
    history.replaceState(null, "", `#${new URLSearchParams(chosen())}`);
    show();
  };
  const clear = () => { location.hash = ""; };

  form.hidden = false;
  form.oninput = choose;
  form.querySelector("button").onclick = clear;
  document.addEventListener("arena:swapped", () => {
    loaded = 0;
    show(most);
  });
  window.onhashchange = follow;
  follow();
})();

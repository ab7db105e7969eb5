"use strict";
// The filters of the list of matches. They go over the matches of all its pages, which are loaded as scripts
// (a page opened from a file can load nothing else) once something is chosen. The choices stand in the address.
(() => {
  const MOST = 2000; // rows shown at once
  const form = document.querySelector(".filters"), said = form.querySelector("p");
  const body = document.querySelector(".list tbody"), own = [...body.rows];
  const fields = [...form.querySelectorAll("[name]")];
  const scripts = form.dataset.scripts.trim().split(" "), parts = [];
  const { bot, with: other, fault } = form.elements;
  let loaded;
  window.papayoo = (part, rows) => { parts[part] = rows; };

  const make = (tag, ...inside) => {
    const element = document.createElement(tag);
    element.append(...inside);
    return element;
  };
  const number = value => value.toLocaleString("en");
  const chosen = () => fields.filter(field => field.value).map(field => [field.name, field.value]);
  const margin = ({ 5: results }) => results.at(-1)[1] - results[0][1];
  const place = select => select.selectedIndex - 1; // of what is chosen, in the data
  const ORDERS = { near: margin, far: row => -margin(row), new: ([id]) => -id };

  const fits = choice => row => {
    const sits = select => !select.value || row[5].some(([who]) => who === place(select));
    const blamed = ([who, kind]) => (!bot.value || who === place(bot)) && (fault.value === "any" || kind === place(fault) - 1);
    return sits(bot) && sits(other) && margin(row) >= (choice.from || 0) && margin(row) <= (choice.to || Infinity)
      && (!fault.value || row[6].some(blamed));
  };

  const line = row => {
    const [id, session, , shown, note, results, faults] = row;
    const link = make(shown ? "a" : "span", id), head = make("th", link), cell = make("td");
    if (shown) link.href = shown === 1 ? `${id}.html` : `replay.html#m${id}`;
    head.scope = "row";
    cell.append(...results.map(([who, total]) => make("span", make("bdi", bot.options[who + 1].text), ` ${number(total)}`)));
    const count = faults.reduce((sum, [, , many]) => sum + many, 0);
    if (count) cell.append(Object.assign(make("em", `${count} fault${count > 1 ? "s" : ""}`), { className: "fault" }));
    if (note) cell.append(make("small", note));
    return make("tr", head, make("td", session), make("td", number(margin(row))), cell);
  };

  const load = path => new Promise(done => {
    const script = Object.assign(make("script"), { src: path, onload: done, onerror: done });
    document.head.append(script);
  });
  const show = async () => {
    const any = chosen().length, choice = Object.fromEntries(chosen());
    if (any) await (loaded ||= Promise.all(scripts.map(load)));
    const all = parts.flat(), found = all.filter(fits(choice)), key = ORDERS[choice.order];
    if (key) found.sort((one, other) => key(one) - key(other));
    document.querySelectorAll(".pages").forEach(pages => { pages.hidden = any; });
    body.replaceChildren(...(any ? found.slice(0, MOST).map(line) : own));
    said.textContent = any ? `${number(found.length)} of ${number(all.length)} matches`
      + (found.length > MOST ? `, the first ${number(MOST)} shown` : "") : "";
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

  form.hidden = false;
  form.oninput = choose;
  form.querySelector("button").onclick = () => { location.hash = ""; };
  window.onhashchange = follow;
  follow();
})();

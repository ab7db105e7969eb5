// Sorting, filtering and copying of the leaderboard's tables. Every table is complete without it.
"use strict";
{
  const tables = [...document.querySelectorAll(".sortable")];
  const text = node => node.textContent.replace(/\s+/g, " ").trim();
  // "1,234.50", "−3.1", "1.25 s" as numbers, times in milliseconds; what is no number sorts last.
  const value = words =>
    words.replace(/,/g, "").replace("−", "-").match(/^-?[\d.]+/)?.[0] * (/\d s$/.test(words) ? 1000 : 1);
  // The bodies of a table with their rows; a heading over rows is none.
  const bodies = table => [...table.tBodies].map(body => [body, [...body.rows].filter(row => row.cells[1])]);
  const rows = table => bodies(table).flatMap(([, own]) => own);
  const heads = table => [...table.tHead.rows[0].cells].filter(head => head.className !== "chart");

  const sort = (table, head) => {
    const way = head.ariaSort == "ascending" ? -1 : 1;
    heads(table).forEach(other => other.ariaSort = null);
    head.ariaSort = way > 0 ? "ascending" : "descending";
    // Groups become one body.
    const [all, ...more] = table.querySelectorAll(".group");
    more.forEach(body => all.append(...body.rows));
    all?.querySelectorAll("[id]").forEach(one => one.remove());
    for (const [body, own] of bodies(table)) {
      const set = own.map(row => [text(row.cells[head.cellIndex]), row]);
      set.sort(([x], [y]) => {
        const a = value(x), b = value(y);
        return way * (a - b) || isNaN(a) - isNaN(b) || way * x.localeCompare(y);
      });
      body.append(...set.map(([, row]) => row));
    }
  };
  const button = (inside, act) => {
    const made = document.createElement("button");
    made.append(...inside);
    made.onclick = act;
    return made;
  };
  for (const table of tables) {
    for (const head of heads(table)) head.append(button(head.childNodes, () => sort(table, head)));
  }

  // The first table as lines of words. A column may hold two things: data-parts names them.
  const names = head => (head.dataset.parts || text(head)).split("|");
  const parts = (cell, count) => {
    const rest = cell.cloneNode(true);
    const second = [...rest.querySelectorAll("small, span")].map(node => (node.remove(), text(node).replace("± ", "")));
    return count > 1 ? [text(rest), second[0] || ""] : [text(rest.querySelector("a") || rest)];
  };
  const lines = table => [
    heads(table).flatMap(names),
    ...rows(table).filter(row => !row.hidden).map(row =>
      heads(table).flatMap(head => parts(row.cells[head.cellIndex], names(head).length))),
  ];
  const plain = words => words.replace(/^−/, "-").replace(/^–$/, "");
  const forms = {
    text: all => {
      const widths = all[0].map((_, n) => Math.max(...all.map(line => line[n].length)));
      return all.map(line => line.map((words, n) => words.padEnd(widths[n])).join("  ").trimEnd()).join("\n");
    },
    CSV: all => all.map(line => line.map(words => `"${plain(words).replace(/"/g, '""')}"`).join(",")).join("\r\n"),
    JSON: ([keys, ...all]) => JSON.stringify(all.map(line =>
      Object.fromEntries(line.map((words, n) => [keys[n], plain(words)]))), null, 1),
  };
  const copy = words => {
    const area = document.body.appendChild(document.createElement("textarea"));
    area.value = words + "\n";
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };

  const html = "<p class=tools><label>Filter bots <input type=search></label>Copy as <span role=status></span>";
  tables[0].insertAdjacentHTML("beforebegin", html);
  const tools = tables[0].previousSibling;
  const said = tools.lastChild;
  tools.oninput = ({target}) => {
    const part = target.value.toLowerCase();
    for (const row of tables.flatMap(rows)) row.hidden = !text(row.querySelector("th")).toLowerCase().includes(part);
    said.textContent = part && `${lines(tables[0]).length - 1} shown`;
  };
  for (const form in forms) {
    said.before(button([form], () => {
      said.textContent = copy(forms[form](lines(tables[0]))) ? "copied" : "this browser forbids copying";
    }));
  }
}

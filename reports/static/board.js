// Sorting, filtering and copying of the leaderboard's tables. Every table is complete without it. A page that
// follows a league changes its tables (live.js says "arena:swapped"); then all of it is done again.
"use strict";
{
  const tables = () => [...document.querySelectorAll(".sortable")];
  const text = node => node.textContent.replace(/\s+/g, " ").trim();
  // "1,234.50", "−3.1", "1.25 s" as numbers, times in milliseconds; what is no number sorts last.
  const value = words =>
    words.replace(/,/g, "").replace("−", "-").match(/^-?[\d.]+/)?.[0] * (/\d s$/.test(words) ? 1000 : 1);
  // The bodies of a table with their rows; a heading over rows is none.
  const bodies = table => [...table.tBodies].map(body => [body, [...body.rows].filter(row => row.cells[1])]);
  const rows = table => bodies(table).flatMap(([, own]) => own);
  const heads = table => [...table.tHead.rows[0].cells].filter(head => head.className !== "chart");

  // The heading of the column by which a table is sorted says so, and which way.
  const sort = (table, head) => {
    const way = head.ariaSort == "descending" ? -1 : 1;
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
      const rows = set.map(([, row]) => row);
      if (rows.some((row, n) => row !== own[n])) body.append(...rows);
    }
  };
  const turn = (table, head) => {
    const next = head.ariaSort == "ascending" ? "descending" : "ascending";
    heads(table).forEach(other => other.ariaSort = null);
    head.ariaSort = next;
    sort(table, head);
  };
  const button = (inside, act) => {
    const made = document.createElement("button");
    made.append(...inside);
    made.onclick = act;
    return made;
  };
  const arrange = () => {
    for (const table of tables()) {
      for (const head of heads(table)) {
        if (!head.querySelector("button")) head.append(button(head.childNodes, () => turn(table, head)));
        if (head.ariaSort) sort(table, head);
      }
    }
  };
  arrange();

  // The first table as lines of words. A column holds two things where its heading does.
  const parts = (cell, head) => {
    const rest = cell.cloneNode(true);
    const small = [...rest.querySelectorAll("small")].map(node => (node.remove(), text(node).replace("± ", "")));
    return head.querySelector("small") ? [text(rest), small[0] || ""] : [text(rest.querySelector("a") || rest)];
  };
  const lines = table => [
    heads(table).flatMap(head => parts(head, head)),
    ...rows(table).filter(row => !row.hidden).map(row =>
      heads(table).flatMap(head => parts(row.cells[head.cellIndex], head))),
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
  const [first] = tables();
  first.insertAdjacentHTML("beforebegin", html);
  const tools = first.previousSibling;
  const said = tools.lastChild;
  const filter = () => {
    const part = tools.querySelector("input").value.toLowerCase();
    for (const row of tables().flatMap(rows)) row.hidden = !text(row.querySelector("th")).toLowerCase().includes(part);
    const left = rows(first).filter(row => !row.hidden).length;
    const words = part && (left ? `${left} shown` : "No bot fits. Clear the filter to see all.");
    if (said.textContent !== words) said.textContent = words;
  };
  tools.oninput = filter;
  document.addEventListener("arena:swapped", () => {
    arrange();
    filter();
  });
  for (const form in forms) {
    said.before(button([form], () => {
      said.textContent = copy(forms[form](lines(first))) ? "copied" : "this browser forbids copying";
    }));
  }
}

// How the scores moved: sets off the line that is pointed at, and shows the interval of the bot that is chosen.
// Without it the first bot, or the one whose page it is, has its interval. On a page that follows a league other
// bots may get the lines and rows (live.js says "arena:swapped"); then all is read again, and the choice stays.
"use strict";
{
  let box, drawing;
  const select = document.createElement("select");
  let rows = [], groups = [], lines = [], chosen;
  const light = at => [rows, groups].forEach(all => all.forEach((one, n) => one.classList.toggle("lit", n === at)));

  const number = node => parseInt(node.textContent); // "3 Duck": of the line, and of its row
  const link = row => row?.querySelector("a").href;
  const read = () => {
    const drawn = new Map([...drawing.querySelectorAll("g[class^=k]")].map(one => [number(one.querySelector("text")), one]));
    rows = [...document.querySelectorAll(".moved tbody tr")];
    groups = rows.map(row => drawn.get(number(row)));
    lines = groups.map(one => one.querySelector("polyline"));
    select.length = rows.length;
    rows.forEach(({ cells: [{ textContent }] }, n) => {
      if (select[n].text !== textContent) select[n].text = textContent;
    });
  };
  const show = at => {
    groups.forEach((one, n) => one.classList.toggle("on", n === at));
    drawing.append(groups[at]);
    select.selectedIndex = at;
  };
  const choose = at => {
    chosen = link(rows[at]);
    show(at);
  };

  // The bot whose line is nearest, if it is near.
  const nearest = ({clientX, clientY, target}) => {
    const own = groups.indexOf(target.closest("g"));
    if (own >= 0) return own;
    let found = -1, least = 15;
    lines.forEach((line, n) => {
      const here = line.getScreenCTM(), point = new DOMPoint(clientX, clientY).matrixTransform(here.inverse());
      const all = [...line.points];
      const next = all.findIndex((p, i) => i && p.x >= point.x);
      if (next < 1 || point.x < all[0].x) return;
      const a = all[next - 1], b = all[next];
      const y = a.y + (b.y - a.y) * (point.x - a.x) / (b.x - a.x);
      const far = Math.abs(y - point.y) * here.d;
      if (far < least) [least, found] = [far, n];
    });
    return found;
  };
  const at = ({target}) => rows.indexOf(target.closest("tr"));
  const act = () => {
    drawing.onpointermove = event => light(nearest(event));
    drawing.onclick = event => {
      const found = nearest(event);
      if (found >= 0) choose(found);
    };
    box.onpointerleave = () => light(-1);
    const table = document.querySelector(".moved tbody");
    for (const kind of ["pointerover", "focusin"]) table.addEventListener(kind, event => light(at(event)));
    for (const kind of ["pointerleave", "focusout"]) table.addEventListener(kind, () => light(-1));
    table.onclick = event => {
      if (!event.target.closest("a")) choose(at(event));
    };
  };

  const line = document.createElement("p"), label = line.appendChild(document.createElement("label"));
  label.append("Show the interval of ", select);
  select.onchange = () => choose(select.selectedIndex);
  const again = () => {
    const found = document.querySelector(".course");
    if (!found) return; // it comes with the second cycle
    if (found !== box) {
      [box, drawing] = [found, found.firstElementChild];
      box.after(line);
      act();
    }
    read();
    const own = groups.findIndex(one => one.classList.contains("on"));
    show(Math.max(0, chosen ? rows.findIndex(row => link(row) === chosen) : own));
  };
  again();
  document.addEventListener("arena:swapped", again);
}

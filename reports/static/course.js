// How the scores moved: sets off the line that is pointed at, and shows the interval of the bot that is chosen.
// Without it the first bot, or the one whose page it is, has its interval. Lines and rows are looked up anew each
// time, because a page that follows a league changes them.
"use strict";
{
  const all = selector => [...document.querySelectorAll(selector)];
  const rows = () => all(".moved tbody tr"), groups = () => all(".course g[class^=k]");
  const mark = (list, name, at) => list.forEach((one, n) => one.classList.toggle(name, n === at));
  const select = document.createElement("select");
  const link = row => row?.querySelector("a").href;
  let chosen; // the page of the bot that the reader chose
  let lit = -1;

  const light = at => {
    if (at === lit) return;
    lit = at;
    mark(rows(), "lit", at);
    mark(groups(), "lit", at);
  };
  const show = () => {
    const box = document.querySelector(".course");
    if (!box) return;
    if (!select.isConnected) {
      const line = document.createElement("p"), label = document.createElement("label");
      label.append(_`Show the interval of `, select);
      line.append(label);
      box.after(line);
    }
    const lines = groups(), at = rows().findIndex(row => link(row) === chosen);
    select.replaceChildren(...rows().map(row => new Option(row.cells[0].textContent)));
    if (at >= 0) mark(lines, "on", at);
    select.selectedIndex = lines.findIndex(one => one.classList.contains("on"));
  };
  const choose = at => {
    chosen = link(rows()[at]);
    show();
  };

  // The bot whose line is nearest, if it is near.
  const nearest = ({clientX, clientY, target}) => {
    const lines = groups(), own = lines.indexOf(target.closest("g"));
    if (own >= 0) return own;
    let found = -1, least = 15;
    lines.forEach((one, n) => {
      const line = one.querySelector("polyline"), here = line.getScreenCTM();
      const point = new DOMPoint(clientX, clientY).matrixTransform(here.inverse()), places = [...line.points];
      const next = places.findIndex((p, i) => i && p.x >= point.x);
      if (next < 1 || point.x < places[0].x) return;
      const a = places[next - 1], b = places[next];
      const y = a.y + (b.y - a.y) * (point.x - a.x) / (b.x - a.x);
      const far = Math.abs(y - point.y) * here.d;
      if (far < least) [least, found] = [far, n];
    });
    return found;
  };
  // The bot that an event is about, in the drawing or in the table; -1 for none.
  const about = event => {
    const { target } = event;
    return target.closest(".course > svg") ? nearest(event) : rows().indexOf(target.closest(".moved tbody tr"));
  };
  for (const kind of ["pointermove", "focusin"]) document.addEventListener(kind, event => light(about(event)));
  document.addEventListener("focusout", () => light(-1));
  document.addEventListener("click", event => {
    const at = event.target.closest("a") ? -1 : about(event);
    if (at >= 0) choose(at);
  });
  select.onchange = () => choose(select.selectedIndex);
  document.addEventListener("arena:swapped", show);
  show();
}

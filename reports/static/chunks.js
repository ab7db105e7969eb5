"use strict";
// Shows any match of a large league on one page: #m123, and #m123r2t5c3 for a card of it. The match comes
// with others in a script (a page opened from a file can load nothing else) and is played again here. Then
// the card table reads the page like that of a single match.
(() => {
  const page = document.querySelector("#match"), { chunk, count, seats, scripts, last, replay } = page.dataset;
  const [, digits, place] = /^#m(\d+)(.*)/.exec(location.hash) || [], id = Number(digits), size = Number(seats);
  const load = path => document.body.append(Object.assign(document.createElement("script"), { src: path, async: false }));
  const name = card => (card < 40 ? "SHDC"[Math.floor(card / 10)] + ((card % 10) + 1) : `P${card - 39}`);

  // The points of a round by seat, and what its tables show.
  const play = (text, at, names) => {
    const [cards, given = ""] = text.split(" "), star = decision => (given.split(",").includes(`${decision}`) ? "*" : "");
    const [papayoo, ...rest] = [...cards].map(letter => letter.charCodeAt() - 48);
    const face = (card, shown = name(card)) => (card === papayoo ? `<b>${shown}</b>` : shown);
    const points = Array(size).fill(0), passes = points.map(() => rest.splice(0, count));
    const held = passes.map(passed => [...passed]), tricks = [];
    for (let leader = at % size, decision = size; rest.length;) {
      const own = [], shown = [];
      for (let turn = 0; turn < size; turn++) {
        const seat = (leader + turn) % size, card = own[seat] = rest.shift();
        shown[seat] = face(card) + star(decision++);
        if (!passes.at(seat - 1).includes(card)) held[seat].push(card);
      }
      const led = name(own[leader])[0], taker = own.indexOf(Math.max(...own.filter(card => name(card)[0] === led)));
      const taken = own.reduce((sum, card) => sum + (card > 39 ? card - 39 : card === papayoo ? 40 : 0), 0);
      points[taker] += taken;
      shown[taker] += "!"; // takes the trick
      tricks.push([leader, shown, taker, taken, points[taker]]);
      leader = taker;
    }
    const hand = (cards, seat) => [..."SHDCP"].map(suit => cards.sort((one, other) => one - other)
      .filter(card => name(card)[0] === suit).map(card => {
        const shown = face(card, name(card).slice(1));
        return passes[seat].includes(card) ? `<s>${shown}</s>` : shown;
      }).join(" ").replaceAll("</s> <s>", " "));
    return { points, tables: [face(papayoo), held.map((cards, seat) => [names[seat], star(seat), hand(cards, seat)]), tricks] };
  };

  window.papayoo = ({ bots, ids, matches }) => {
    if (!matches[id]) return;
    const [session, about, own, hidden, sat, charges, places, texts, result] = matches[id];
    if (own) return location.replace(`${id}.html#${place}`);
    const names = sat.map(bot => bots[bot]);
    page.querySelector(".outcome").textContent = result;
    const rounds = texts.map((round, at) => (hidden ? { points: round } : play(round, at, names)));
    const points = sat.map((_, seat) => rounds.reduce((sum, round) => sum + round.points[seat], 0));
    const elsewhere = ([number, other]) => other[0] === session && Number(number) !== id ? [
      `Match ${number}`, other[4].map(bot => bots[bot]), rounds.map(({ points }, at) => [
        at, play(other[7][at], at, []).points.map((value, seat) => {
          const away = value - points[seat];
          return [value, away > 0 ? `+${away}` : "", away < 0 ? `−${-away}` : "", away ? "" : "±0"];
        }),
      ]),
    ] : [];
    const values = [
      id > 1 ? `← Match ${id - 1}` : "", id < last ? `Match ${id + 1} →` : "", `Match ${id}`, about, hidden,
      names.map((bot, seat) => [bot, places[seat], points[seat] + charges[seat], points[seat], charges[seat]]),
      names, rounds.map(round => round.points), hidden ? [] : [rounds.map(({ tables }) => tables), Object.entries(matches).map(elsewhere)],
    ].flat(Infinity);

    if (hidden) page.querySelector("#cards").remove();
    let to;
    page.querySelectorAll(".f").forEach((slot, at) => {
      const value = String(values[at] ?? "");
      const { place } = slot.dataset;
      if (slot.matches(".cards i, .hands td, .tricks td")) { // cards and numbers only: no names of bots
        slot.className = /[SHDCP]|$/.exec(value)[0].toLowerCase() + (value.includes("!") ? " t" : "");
        slot.innerHTML = value.replace("!", "");
      } else {
        slot.textContent = value;
      }
      if (place === "") to = /\d+/.exec(value); // the links to its rounds follow
      slot.href = `#m${to}${place}`;
    });
    page.querySelectorAll(".result a").forEach((link, seat) => { link.href = `../bots/${ids[sat[seat]]}.html`; });
    document.title = `Match ${id} · ${document.title}`;
    document.querySelector("#lost").remove();
    page.hidden = false;
    replay.split(" ").forEach(load);
  };
  addEventListener("hashchange", () => {
    if (/^#m\d/.test(location.hash)) location.reload();
    else history.replaceState(null, "", `#m${id}${location.hash.slice(1)}`);
  });
  if (id > 0 && id <= last) load(`${scripts}${Math.ceil(id / chunk)}.js`);
})();

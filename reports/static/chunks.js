"use strict";
// Shows any match of a large league on one page: #m123, and #m123r2t5c3 for a card of it. The match comes
// with others in a script (a page opened from a file can load nothing else) and is played again here. Then
// the card table reads the page like that of a single match.
(() => {
  const page = document.querySelector("#match"), { chunk, passed: count, scripts, last, replay } = page.dataset;
  const [, id, place] = /^#m(\d+)(.*)/.exec(location.hash) || [];
  const load = (path) => document.body.append(Object.assign(document.createElement("script"), { src: path }));
  const name = (card) => (card < 40 ? "SHDC"[Math.floor(card / 10)] + ((card % 10) + 1) : `P${card - 39}`);
  const worth = (card, papayoo) => (card > 39 ? card - 39 : card === papayoo ? 40 : 0);

  const play = (text, at, size) => {
    const [cards, given = ""] = text.split(" "), chosen = given.split(",");
    const [papayoo, ...rest] = [...cards].map((letter) => letter.charCodeAt() - 48);
    const passes = Array.from({ length: size }, () => rest.splice(0, count)), points = passes.map(() => 0);
    const held = passes.map((cards) => [...cards]), tricks = [];
    for (let leader = at % size, decision = size; rest.length;) {
      const own = [], shown = [];
      for (let turn = 0; turn < size; turn++) {
        const seat = (leader + turn) % size, card = rest.shift();
        own[seat] = card;
        shown[seat] = name(card) + (chosen.includes(String(decision++)) ? "*" : "");
        if (!passes.at(seat - 1).includes(card)) held[seat].push(card);
      }
      const led = name(own[leader])[0], taker = own.indexOf(Math.max(...own.filter((card) => name(card)[0] === led)));
      const taken = own.reduce((sum, card) => sum + worth(card, papayoo), 0);
      points[taker] += taken;
      shown[taker] += "!";
      tricks.push([leader, shown, taker, taken, [...points]]);
      leader = taker;
    }
    return { papayoo, passes, held, tricks, points };
  };
  const suits = (cards) => [..."SHDCP"].map((suit) =>
    [...cards].sort((one, other) => one - other).map(name).filter((card) => card[0] === suit).join(" "));

  window.papayoo = ({ bots, matches }) => {
    if (!matches[id]) return;
    const read = (match) => match[7].map((round, at) => (match[3] ? { points: round } : play(round, at, match[4].length)));
    const [session, about, own, hidden, seats, charges, faults] = matches[id], rounds = read(matches[id]);
    if (own) return location.replace(`${id}.html${place && `#${place}`}`);
    const names = seats.map((bot) => bots[bot]);
    const points = seats.map((_, seat) => rounds.reduce((sum, round) => sum + round.points[seat], 0));
    const totals = points.map((value, seat) => value + charges[seat]);
    const others = Object.entries(matches).filter(([number, other]) => number !== id && other[0] === session);
    const cards = ({ papayoo, passes, held, tricks, points }, at) => [
      name(papayoo),
      names.map((bot, seat) => [bot, suits(held[seat]), suits(passes[seat]), suits(passes.at(seat - 1))]),
      tricks,
      others.map(([number, other]) => [number, read(other)[at].points.map((value, seat) => {
        const away = value - points[seat];
        return [value, away > 0 ? `+${away}` : String(away).replace("-", "−"), bots[other[4][seat]]];
      })]),
    ];
    const values = [
      id > 1 ? `← Match ${id - 1}` : "", Number(id) < last ? `Match ${Number(id) + 1} →` : "", `Match ${id}`, about, hidden,
      names.map((bot, seat) => [bot, faults[seat] ? `faults: ${faults[seat]}` : "",
        1 + totals.filter((total) => total < totals[seat]).length, totals[seat], points[seat], charges[seat]]),
      names, rounds.map((round) => round.points), hidden ? [] : rounds.map(cards),
    ].flat(Infinity);

    if (hidden) page.querySelector("#cards").remove();
    page.querySelectorAll(".f").forEach((slot, at) => {
      const value = String(values[at] ?? "");
      slot.textContent = value.replace("!", "");
      slot.hidden = !value;
      if (slot.tagName === "I" && value) slot.className = value[0].toLowerCase();
      if (value.endsWith("!")) slot.parentNode.className = "t";
      if (slot.tagName === "A") slot.href = `#m${/\d+/.exec(value)}${slot.dataset.place || ""}`;
    });
    document.title = `Match ${id} · ${document.title}`;
    document.querySelector("#lost").remove();
    page.hidden = false;
    load(replay);
  };
  window.addEventListener("hashchange", () => {
    const now = /^#m(\d+)/.exec(location.hash);
    if (!now) history.replaceState(null, "", `#m${id}${location.hash.slice(1)}`);
    else if (now[1] !== id) location.reload();
  });
  if (id > 0 && Number(id) <= last) load(`${scripts}${Math.floor((id - 1) / chunk) + 1}.js`);
})();

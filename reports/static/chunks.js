"use strict";
// Shows any match of a large league on one page: #m123, and #m123r2t5c3 for a card of it. The match comes
// with others in a script (a page opened from a file can load nothing else) and is played again here. Then
// the card table reads the page like that of a single match.
(() => {
  const page = document.querySelector("#match"), { chunk, count, seats, scripts, last, replay } = page.dataset;
  const [, digits, place] = /^#m(\d+)(.*)/.exec(location.hash) || [], id = Number(digits), size = Number(seats);
  const load = path => document.body.append(Object.assign(document.createElement("script"), { src: path }));
  const name = card => (card < 40 ? "SHDC"[Math.floor(card / 10)] + ((card % 10) + 1) : `P${card - 39}`);

  const suits = cards => [..."SHDCP"].map(suit =>
    [...cards].sort((one, other) => one - other).map(name).filter(card => card[0] === suit).join(" "));

  const play = (text, at) => {
    const [cards, given = ""] = text.split(" "), star = decision => (given.split(",").includes(`${decision}`) ? "*" : "");
    const [papayoo, ...rest] = [...cards].map(letter => letter.charCodeAt() - 48);
    const points = Array(size).fill(0), passes = points.map(() => rest.splice(0, count));
    const held = passes.map(passed => [...passed]), tricks = [];
    for (let leader = at % size, decision = size; rest.length;) {
      const own = [], shown = [];
      for (let turn = 0; turn < size; turn++) {
        const seat = (leader + turn) % size, card = own[seat] = rest.shift();
        shown[seat] = name(card) + (card === papayoo ? "^" : "") + star(decision++);
        if (!passes.at(seat - 1).includes(card)) held[seat].push(card);
      }
      const follows = own.filter(card => name(card)[0] === name(own[leader])[0]), taker = own.indexOf(Math.max(...follows));
      const taken = own.reduce((sum, card) => sum + (card > 39 ? card - 39 : card === papayoo ? 40 : 0), 0);
      points[taker] += taken;
      shown[taker] += "!";
      tricks.push([leader, shown, taker, taken, [...points]]);
      leader = taker;
    }
    return { papayoo, passes, held, tricks, points, stars: points.map((_, seat) => star(seat)) };
  };

  window.papayoo = ({ bots, matches }) => {
    if (!matches[id]) return;
    const [session, about, own, hidden, sat, charges, places, texts] = matches[id];
    if (own) return location.replace(`${id}.html#${place}`);
    const rounds = texts.map((round, at) => (hidden ? { points: round } : play(round, at)));
    const names = sat.map(bot => bots[bot]);
    const points = sat.map((_, seat) => rounds.reduce((sum, round) => sum + round.points[seat], 0));
    const others = Object.entries(matches).filter(([number, other]) => Number(number) !== id && other[0] === session);
    const cards = ({ papayoo, passes, held, tricks, points, stars }, at) => [
      `${name(papayoo)}^`,
      names.map((bot, seat) => [bot, suits(held[seat]), suits(passes[seat]), stars[seat], suits(passes.at(seat - 1))]),
      tricks,
      others.map(([number, other]) => [number, play(other[7][at], at).points.map((value, seat) => {
        const away = value - points[seat];
        return [value, away > 0 ? `+${away}` : String(away).replace("-", "−"), bots[other[4][seat]]];
      })]),
    ];
    const values = [
      id > 1 ? `← Match ${id - 1}` : "", id < last ? `Match ${id + 1} →` : "", `Match ${id}`, about, hidden,
      names.map((bot, seat) => [bot, places[seat], points[seat] + charges[seat], points[seat], charges[seat]]),
      names, rounds.map(round => round.points), hidden ? [] : rounds.map(cards),
    ].flat(Infinity);

    if (hidden) page.querySelector("#cards").remove();
    page.querySelectorAll(".f").forEach((slot, at) => {
      const value = String(values[at] ?? "");
      slot.textContent = value;
      slot.hidden = !value;
      if (slot.tagName === "I" && value) {
        slot.className = value[0].toLowerCase() + (value.includes("^") ? " papayoo" : "");
        slot.textContent = value.replace(/[!^]/g, "");
        if (value.includes("!")) slot.parentNode.className = "t";
      }
      if (slot.tagName === "A") slot.href = `#m${/\d+/.exec(value)}${slot.dataset.place}`;
    });
    document.title = `Match ${id} · ${document.title}`;
    document.querySelector("#lost").remove();
    page.hidden = false;
    load(replay);
  };
  window.addEventListener("hashchange", () => {
    if (location.hash.startsWith("#m")) location.reload();
    else history.replaceState(null, "", `#m${id}${location.hash.slice(1)}`);
  });
  if (id > 0 && id <= last) load(`${scripts}${Math.floor((id - 1) / chunk) + 1}.js`);
})();

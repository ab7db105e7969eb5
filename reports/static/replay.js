"use strict";
// The card table of a match page. Everything it shows it reads from the tables of the page, which are
// complete without it. State: a round and a step: 0 dealt, 1 passed, then one more with every card.
(() => {
  const SUITS = "SHDCP";
  const order = (card) => SUITS.indexOf(card[0]) * 100 + Number(card.slice(1));
  const cards = (cell) => cell.textContent.match(/[SHDCP]\d+/g) || [];
  const number = (cell) => Number(cell.textContent);
  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  const rounds = [...document.querySelectorAll("section.round")].map((section) => {
    const [hands, tricks] = ["hands", "tricks"].map((name) => [...section.querySelector(`.${name} tbody`).rows]);
    const seats = hands.map((row) => ({
      name: row.cells[0].querySelector("bdi").textContent,
      dealt: cards(row.cells[1]), passed: cards(row.cells[2]), got: cards(row.cells[3]),
    }));
    const size = seats.length;
    return {
      section, seats, size,
      papayoo: cards(section.querySelector("p"))[0],
      tricks: tricks.map((row) => {
        const cells = [...row.cells];
        return {
          row, leader: number(cells[1]), cards: cells.slice(2, 2 + size).map((cell) => cards(cell)[0]),
          taker: number(cells[2 + size]), points: number(cells[3 + size]), running: cells.slice(4 + size).map(number),
        };
      }),
    };
  });
  if (!rounds.length) return;

  let at = 0, step = 0, timer = 0;
  const last = () => 1 + rounds[at].size * rounds[at].tricks.length;
  const box = make("section", "", { id: "replay", "aria-label": "Card table", class: "replay" });
  const said = make("p", "", { "aria-live": "polite", class: "said" });
  const felt = make("div", "", { class: "felt cards" });
  const table = make("table", "", { class: "cards" });
  const slider = make("input", "", { type: "range", min: 0, "aria-label": "Card" });
  const open = make("input", "", { type: "checkbox", id: "open" });
  const text = make("pre", "", { tabindex: 0 });
  const choose = make("select", "", { "aria-label": "Round" });
  rounds.forEach((_, index) => choose.append(make("option", `Round ${index}`, { value: index })));
  open.checked = true;

  const face = (card, round) => {
    const element = make("i", "", { class: card[0].toLowerCase() });
    element.append(card === round.papayoo ? make("b", card) : card);
    return element;
  };

  const holding = (round, seat, turn) => {
    const { dealt, passed, got } = round.seats[seat];
    if (turn === 0) return dealt;
    const played = round.tricks.flatMap((trick, index) => {
      const place = (seat - trick.leader + round.size) % round.size;
      return turn - 2 >= index * round.size + place ? [trick.cards[seat]] : [];
    });
    return [...dealt.filter((card) => !passed.includes(card)), ...got].filter((card) => !played.includes(card));
  };

  const words = (round, trick, count) => {
    if (step === 0) return `Round ${at}: the cards are dealt, and passed to the left.`;
    if (step === 1) return `Round ${at}: passed. ${round.papayoo} is the Papayoo.`;
    const seat = (trick.leader + count - 1) % round.size;
    const taken = count === round.size ? ` ${round.seats[trick.taker].name} takes ${trick.points}.` : "";
    return `Round ${at}, trick ${round.tricks.indexOf(trick)}: ${round.seats[seat].name} plays ${trick.cards[seat]}.${taken}`;
  };

  const plain = (round) => [
    `Papayoo ${round.papayoo}`,
    ...round.seats.map((seat, index) => `${index} ${seat.name}: ${seat.dealt.join(" ")}; passes ${seat.passed.join(" ")}`),
    ...round.tricks.map((trick, index) => {
      const played = trick.cards.map((_, turn) => trick.cards[(trick.leader + turn) % round.size]);
      return `trick ${index}: seat ${trick.leader} leads ${played.join(" ")}, seat ${trick.taker} takes ${trick.points}`;
    }),
  ].join("\n");

  const show = () => {
    const round = rounds[at], done = Math.max(0, step - 2);
    const trick = step > 1 ? round.tricks[Math.floor(done / round.size)] : null;
    const count = trick ? (done % round.size) + 1 : 0;
    const before = trick && round.tricks[round.tricks.indexOf(trick) - 1];
    const whole = count === round.size;
    const running = whole ? trick.running : before ? before.running : round.seats.map(() => 0);
    felt.replaceChildren(...round.seats.map((seat, index) => {
      const angle = Math.PI * (0.5 + (2 * index) / round.size);
      const chip = make("span", "", { class: trick && whole && index === trick.taker ? "chip t" : "chip" });
      const place = trick ? (index - trick.leader + round.size) % round.size : round.size;
      chip.append(make("bdi", seat.name), place < count ? face(trick.cards[index], round) : "·");
      chip.style.left = `${50 + 36 * Math.cos(angle)}%`;
      chip.style.top = `${50 + 38 * Math.sin(angle)}%`;
      return chip;
    }));
    table.replaceChildren(...round.seats.map((seat, index) => {
      const line = make("tr"), name = make("th", "", { scope: "row" }), hand = make("td");
      name.append(`${index} `, make("bdi", seat.name));
      const held = holding(round, index, step).sort((one, other) => order(one) - order(other));
      if (open.checked) {
        for (const card of held) {
          const shown = face(card, round);
          if (step === 0 && seat.passed.includes(card)) shown.classList.add("t");
          hand.append(shown, " ");
        }
      } else hand.append(`${held.length} cards`);
      line.append(name, hand, make("td", String(running[index])));
      return line;
    }));
    said.textContent = words(round, trick, count);
    slider.max = last();
    slider.value = step;
    slider.setAttribute("aria-valuetext", said.textContent);
    choose.value = at;
    text.textContent = plain(round);
    document.querySelectorAll("tr.now").forEach((row) => row.classList.remove("now"));
    if (trick) trick.row.classList.add("now");
  };

  const anchor = () => {
    const done = Math.max(0, step - 2), size = rounds[at].size;
    return step === 0 ? `#r${at}` : step === 1 ? `#r${at}p` : `#r${at}t${Math.floor(done / size)}c${done % size}`;
  };
  const go = (round, to) => {
    at = Math.min(Math.max(round, 0), rounds.length - 1);
    step = Math.min(Math.max(to, 0), last());
    show();
    history.replaceState(null, "", anchor());
  };
  const move = (by) => {
    if (step + by > last() && at + 1 < rounds.length) go(at + 1, 0);
    else if (step + by < 0 && at > 0) { at -= 1; go(at, last()); }
    else go(at, step + by);
  };
  const follow = () => {
    const found = /^#r(\d+)(p|t(\d+)(?:c(\d+))?)?$/.exec(location.hash);
    if (!found) return false;
    at = Math.min(Number(found[1]), rounds.length - 1);
    const { size } = rounds[at];
    const card = found[4] === undefined ? size - 1 : Number(found[4]);
    step = !found[2] ? 0 : found[2] === "p" ? 1 : Math.min(last(), 2 + Number(found[3]) * size + card);
    show();
    return found[4] !== undefined;
  };

  const bar = make("div", "", { class: "controls" });
  const button = (label, sign, act) => {
    const element = make("button", sign, { type: "button", "aria-label": label, title: label });
    element.addEventListener("click", act);
    bar.append(element);
    return element;
  };
  const stop = () => { clearInterval(timer); timer = 0; auto.textContent = "Play"; };
  bar.append(choose);
  button("First", "|◀", () => go(at, 0));
  button("Back", "◀", () => move(-1));
  const auto = button("Play by itself", "Play", () => {
    if (timer) return stop();
    auto.textContent = "Pause";
    timer = setInterval(() => (step === last() && at + 1 === rounds.length ? stop() : move(1)), 900);
  });
  button("Next", "▶", () => move(1));
  button("Last", "▶|", () => go(at, last()));
  const label = make("label", " open hands", { for: "open" });
  label.prepend(open);
  bar.append(slider, label);
  const details = make("details");
  details.append(make("summary", "This round as text"), text);
  box.append(make("h2", "Card table"), said, felt, bar, table, details,
    make("p", "Keys: ← → a card, Home End the round, n p the next or previous round. Click a trick to go there.", { class: "small" }));
  rounds[0].section.before(box);

  open.addEventListener("change", show);
  slider.addEventListener("input", () => go(at, Number(slider.value)));
  choose.addEventListener("change", () => go(Number(choose.value), 0));
  rounds.forEach((round, index) => round.tricks.forEach((trick, place) =>
    trick.row.addEventListener("click", () => go(index, 1 + (place + 1) * round.size))));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|PRE)$/.test(event.target.tagName)) return;
    const act = { ArrowLeft: () => move(-1), ArrowRight: () => move(1), Home: () => go(at, 0), End: () => go(at, last()),
      n: () => go(at + 1, 0), p: () => go(at - 1, 0) }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  window.addEventListener("hashchange", () => { if (follow()) box.scrollIntoView(); });
  if (follow()) box.scrollIntoView();
  show();
})();

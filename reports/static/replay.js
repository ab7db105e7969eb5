"use strict";
// The card table of a match page. Everything it shows it reads from the tables of the page, which are
// complete without it. State: a round and a step: 0 dealt, 1 passed, then one more with every card.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const cards = (cell) => cell.textContent.match(/[SHDCP]\d+/g) || [];
  const number = (cell) => Number(cell.textContent);
  const order = (card) => "SHDCP".indexOf(card[0]) * 100 + Number(card.slice(1));
  const make = (tag, name, ...inside) => {
    const element = Object.assign(document.createElement(tag), { className: name });
    element.append(...inside);
    return element;
  };

  const rounds = all(".round").map((section) => {
    const seats = all(".hands tbody tr", section).map(({ cells }) => ({
      name: cells[0].lastElementChild.textContent, dealt: cards(cells[1]), passed: cards(cells[2]), got: cards(cells[3]),
    }));
    const size = seats.length;
    const tricks = all(".tricks tbody tr", section).map((row) => {
      const [, leader, ...rest] = row.cells;
      return {
        row, leader: number(leader), cards: rest.slice(0, size).map((cell) => cards(cell)[0]),
        taker: number(rest[size]), points: number(rest[size + 1]), running: rest.slice(size + 2).map(number),
      };
    });
    return { seats, size, tricks, papayoo: cards(section.querySelector("p"))[0] };
  });
  if (!rounds.length) return;

  let at = 0, step = 0, timer = 0;
  const last = () => 1 + rounds[at].size * rounds[at].tricks.length;
  const match = (/^#m\d+/.exec(location.hash) || ["#"])[0]; // on the page that shows every match
  const box = make("section", "replay");
  const button = ([name, sign]) => `<button type="button" aria-label="${name}" title="${name}">${sign}</button>`;
  box.innerHTML = `<h2>Card table</h2><p class="said" aria-live="polite"></p><div class="felt cards"></div>
    <div class="controls"><select aria-label="Round">${rounds.map((_, index) => `<option value="${index}">Round ${index}`).join("")}</select>
    ${[["First", "|◀"], ["Back", "◀"], ["Play by itself", "Play"], ["Next", "▶"], ["Last", "▶|"]].map(button).join(" ")}
    <input type="range" min="0" aria-label="Card"><label><input type="checkbox" checked> open hands</label></div>
    <table class="cards"></table><details><summary>This round as text</summary><pre tabindex="0"></pre></details>
    <p class="small">Keys: ← → a card, Home End the round, n p the next or previous round. Click a trick to go there.</p>`;
  box.id = "replay";
  box.setAttribute("aria-label", "Card table");
  const [said, felt, choose, slider, open, table, text] = all(".said, .felt, select, input, table, pre", box);
  const buttons = all("button", box), auto = buttons[2];

  const face = (card, round) => make("i", card[0].toLowerCase(), card === round.papayoo ? make("b", "", card) : card);
  const turn = (seat, trick, round) => (seat - trick.leader + round.size) % round.size;
  const holding = (round, seat) => {
    const { dealt, passed, got } = round.seats[seat];
    if (step === 0) return dealt;
    const gone = [...passed, ...round.tricks.filter((trick, index) => step - 2 >= index * round.size + turn(seat, trick, round))
      .map((trick) => trick.cards[seat])];
    return [...dealt, ...got].filter((card) => !gone.includes(card)).sort((one, other) => order(one) - order(other));
  };
  const plain = (round) => [
    `Papayoo ${round.papayoo}`,
    ...round.seats.map((seat, index) => `${index} ${seat.name}: ${seat.dealt.join(" ")}; passes ${seat.passed.join(" ")}`),
    ...round.tricks.map((trick, index) => {
      const played = trick.cards.map((_, place) => trick.cards[(trick.leader + place) % round.size]);
      return `trick ${index}: seat ${trick.leader} leads ${played.join(" ")}, seat ${trick.taker} takes ${trick.points}`;
    }),
  ].join("\n");

  const show = () => {
    const round = rounds[at], { seats, size, tricks } = round, done = step - 2;
    const index = Math.floor(done / size), trick = tricks[index], count = trick ? (done % size) + 1 : 0, whole = count === size;
    const { running } = (whole ? trick : tricks[index - 1]) || { running: seats.map(() => 0) };
    felt.replaceChildren(...seats.map((seat, place) => {
      const angle = Math.PI * (0.5 + (2 * place) / size), played = trick && turn(place, trick, round) < count;
      const chip = make("span", whole && place === trick.taker ? "chip t" : "chip", make("bdi", "", seat.name),
        played ? face(trick.cards[place], round) : "·");
      chip.style.left = `${50 + 36 * Math.cos(angle)}%`;
      chip.style.top = `${50 + 38 * Math.sin(angle)}%`;
      return chip;
    }));
    table.replaceChildren(...seats.map((seat, place) => {
      const held = holding(round, place), name = make("th", "", `${place} `, make("bdi", "", seat.name));
      const hand = held.flatMap((card) => {
        const shown = face(card, round);
        if (step === 0 && seat.passed.includes(card)) shown.classList.add("t");
        return [shown, " "];
      });
      name.scope = "row";
      return make("tr", "", name, make("td", "", ...(open.checked ? hand : [`${held.length} cards`])), make("td", "", running[place]));
    }));
    const seat = trick && (trick.leader + count - 1) % size;
    said.textContent = `Round ${at}` + (trick
      ? `, trick ${index}: ${seats[seat].name} plays ${trick.cards[seat]}.${whole ? ` ${seats[trick.taker].name} takes ${trick.points}.` : ""}`
      : step ? `: passed. ${round.papayoo} is the Papayoo.` : ": the cards are dealt, and passed to the left.");
    slider.max = last();
    slider.value = step;
    slider.setAttribute("aria-valuetext", said.textContent);
    choose.value = at;
    text.textContent = plain(round);
    all(".now").forEach((row) => row.classList.remove("now"));
    if (trick) trick.row.classList.add("now");
  };

  const go = (round, to) => {
    at = Math.min(Math.max(round, 0), rounds.length - 1);
    step = Math.min(Math.max(to, 0), last());
    show();
    const { size } = rounds[at], done = step - 2;
    const place = step > 1 ? `t${Math.floor(done / size)}c${done % size}` : step ? "p" : "";
    history.replaceState(null, "", `${match}r${at}${place}`);
  };
  const move = (by) => {
    if (step + by > last() && at + 1 < rounds.length) go(at + 1, 0);
    else if (step + by < 0 && at > 0) go(at - 1, Infinity);
    else go(at, step + by);
  };
  const follow = () => {
    const [, round, pass, trick, card] = /^#(?:m\d+)?r(\d+)(p|t(\d+)(?:c(\d+))?)?$/.exec(location.hash) || [];
    if (!round) return show();
    at = Math.min(Number(round), rounds.length - 1);
    const { size } = rounds[at];
    step = !pass ? 0 : pass === "p" ? 1 : Math.min(last(), 2 + Number(trick) * size + (card ? Number(card) : size - 1));
    show();
    if (card || match !== "#") box.scrollIntoView();
  };
  const stop = () => { clearInterval(timer); timer = 0; auto.textContent = "Play"; };
  const play = () => {
    if (timer) return stop();
    auto.textContent = "Pause";
    timer = setInterval(() => (step === last() && at + 1 === rounds.length ? stop() : move(1)), 900);
  };

  const acts = [() => go(at, 0), () => move(-1), play, () => move(1), () => go(at, last())];
  const KEYS = { Home: acts[0], ArrowLeft: acts[1], ArrowRight: acts[3], End: acts[4], n: () => go(at + 1, 0), p: () => go(at - 1, 0) };
  buttons.forEach((one, index) => one.addEventListener("click", acts[index]));
  open.addEventListener("change", show);
  slider.addEventListener("input", () => go(at, Number(slider.value)));
  choose.addEventListener("change", () => go(Number(choose.value), 0));
  rounds.forEach(({ tricks, size }, index) => tricks.forEach(({ row }, place) =>
    row.addEventListener("click", () => go(index, 1 + (place + 1) * size))));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|PRE)$/.test(event.target.tagName)) return;
    const act = KEYS[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  window.addEventListener("hashchange", follow);
  document.querySelector(".round").before(box);
  follow();
})();

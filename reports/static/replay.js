"use strict";
// The card table of a match page. Everything it shows it reads from the tables of the page, which are
// complete without it. State: a round and a step: 0 dealt, 1 passed, then one more with every card.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const cards = cell => cell.textContent.match(/[SHDCP]\d+/g) || [];
  const number = cell => Number(cell.textContent);
  const order = card => "SHDCP".indexOf(card[0]) * 100 + Number(card.slice(1));
  const make = (tag, name, ...inside) => {
    const element = Object.assign(document.createElement(tag), { className: name });
    element.append(...inside);
    return element;
  };

  const rounds = all(".round").map(section => {
    const seats = all(".hands tbody tr", section).map(({ cells }) => ({
      name: cells[0].lastElementChild.textContent, dealt: cards(cells[1]), passed: cards(cells[2]), got: cards(cells[3]),
    }));
    const size = seats.length;
    const tricks = all(".tricks tbody tr", section).map(row => {
      const [, leader, ...rest] = row.cells;
      return {
        row, leader: number(leader), cards: rest.slice(0, size).map(cell => cards(cell)[0]),
        taker: number(rest[size]), points: number(rest[size + 1]), running: rest.slice(size + 2).map(number),
      };
    });
    const plays = tricks.flatMap(trick => seats.map((_, turn) => trick.cards[(trick.leader + turn) % size]));
    return { section, seats, size, tricks, plays, papayoo: cards(section.querySelector("p"))[0] };
  });
  if (!rounds.length) return;

  let at = 0, step = 0, timer = 0;
  const last = () => 1 + rounds[at].plays.length;
  const match = (/^#m\d+/.exec(location.hash) || ["#"])[0]; // on the page that shows every match
  const button = ([name, sign]) => `<button type=button aria-label="${name}" title="${name}">${sign}</button> `;
  const buttons = [["First", "|◀"], ["Back", "◀"], ["Play by itself", "Play"], ["Next", "▶"], ["Last", "▶|"]];
  const options = rounds.map((_, index) => `<option value=${index}>Round ${index}`);
  document.querySelector(".round").insertAdjacentHTML("beforebegin", `<section id=replay class=replay aria-label="Card table">
    <h2>Card table</h2><p class=said aria-live=polite></p><div class="felt cards"></div><div class=controls>
    <select aria-label=Round>${options.join("")}</select> ${buttons.map(button).join("")}
    <input type=range min=0 aria-label=Card><label><input type=checkbox checked> open hands</label></div>
    <table class=cards></table><details><summary>This round as text</summary><pre tabindex=0></pre></details>
    <p class=small>Keys: ← → a card, Home End the round, n p the next or previous round. Click a trick to go there.</p></section>`);
  const box = document.querySelector("#replay"), [first, back, auto, next, end] = all("button", box);
  const [said, felt, choose, slider, open, table, text] = all(".said, .felt, select, input, table, pre", box);

  const show = () => {
    const { section, seats, size, tricks, plays, papayoo } = rounds[at], done = step - 2, index = Math.floor(done / size);
    const trick = tricks[index], whole = done % size === size - 1, before = tricks[whole ? index : index - 1];
    const gone = plays.slice(0, Math.max(0, done + 1));
    const face = (card, name = "") => make("i", card[0].toLowerCase() + name, card === papayoo ? make("b", "", card) : card);
    felt.replaceChildren(...seats.map((seat, place) => {
      const angle = Math.PI * (0.5 + (2 * place) / size), card = trick && trick.cards[place];
      const chip = make("span", whole && place === trick.taker ? "chip t" : "chip", make("bdi", "", seat.name),
        gone.includes(card) ? face(card) : "·");
      chip.style.left = `${50 + 36 * Math.cos(angle)}%`;
      chip.style.top = `${50 + 38 * Math.sin(angle)}%`;
      return chip;
    }));
    table.replaceChildren(...seats.map(({ name, dealt, passed, got }, place) => {
      const kept = [...dealt.filter(card => !passed.includes(card)), ...got].filter(card => !gone.includes(card));
      const held = step ? kept.sort((one, other) => order(one) - order(other)) : dealt;
      const hand = held.flatMap(card => [face(card, !step && passed.includes(card) ? " t" : ""), " "]);
      const head = make("th", "", `${place} `, make("bdi", "", name));
      head.scope = "row";
      return make("tr", "", head, make("td", "", ...(open.checked ? hand : [`${held.length} cards`])),
        make("td", "", before ? before.running[place] : 0));
    }));
    let words = step ? `: passed. ${papayoo} is the Papayoo.` : ": the cards are dealt, and passed to the left.";
    if (trick) {
      words = `, trick ${index}: ${seats[trick.cards.indexOf(plays[done])].name} plays ${plays[done]}.`;
      if (whole) words += ` ${seats[trick.taker].name} takes ${trick.points}.`;
    }
    said.textContent = `Round ${at}${words}`;
    slider.max = last();
    slider.value = step;
    slider.setAttribute("aria-valuetext", said.textContent);
    choose.value = at;
    text.textContent = all(":scope > p, .hands tr, .tricks tr", section).map(part => part.innerText).join("\n");
    all(".now").forEach(row => row.classList.remove("now"));
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
  const move = by => {
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
  const play = () => {
    clearInterval(timer);
    timer = timer ? 0 : setInterval(() => (step === last() && at + 1 === rounds.length ? play() : move(1)), 900);
    auto.textContent = timer ? "Pause" : "Play";
  };

  const acts = {
    Home: () => go(at, 0), ArrowLeft: () => move(-1), ArrowRight: () => move(1), End: () => go(at, last()),
    n: () => go(at + 1, 0), p: () => go(at - 1, 0),
  };
  first.onclick = acts.Home;
  back.onclick = acts.ArrowLeft;
  auto.onclick = play;
  next.onclick = acts.ArrowRight;
  end.onclick = acts.End;
  open.onchange = show;
  slider.oninput = () => go(at, Number(slider.value));
  choose.onchange = () => go(Number(choose.value), 0);
  rounds.forEach(({ tricks, size }, index) => tricks.forEach(({ row }, place) => {
    row.onclick = () => go(index, 1 + (place + 1) * size);
  }));
  document.onkeydown = event => {
    const act = acts[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|PRE)$/.test(event.target.tagName)) return;
    event.preventDefault();
    act();
  };
  window.onhashchange = follow;
  follow();
})();

"use strict";
// The card table of a match page. Everything it shows it reads from the tables of the page, which are
// complete without it. State: a round and a step: 0 dealt, 1 passed, then one more with every card.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const deck = [..."SHDCP"].flatMap(suit => [...Array(21).keys()].map(rank => suit + rank));
  // A cell of the table of hands holds the ranks of one suit.
  const cards = parts => parts.flatMap(part => (part.textContent.match(/\d+/g) || [])
    .map(rank => " SHDCP"[part.closest("td").cellIndex] + rank));
  const make = (tag, name, ...inside) => {
    const element = Object.assign(document.createElement(tag), { className: name });
    element.append(...inside);
    return element;
  };

  const rounds = all(".round").map((section, index) => {
    const seats = all(".hands tbody tr", section).map(row => ({
      name: row.querySelector("bdi").textContent, dealt: cards(all("td", row)), passed: cards(all("s", row)),
    }));
    const size = seats.length, running = seats.map(() => 0), plays = [], [sentence] = all("p", section);
    const tricks = all(".tricks tbody tr", section).map((row, place) => {
      const [leader, ...own] = all("td", row).map(cell => cell.textContent.replace("*", ""));
      const [taker, points] = own.slice(size).map(Number);
      seats.forEach((_, turn) => plays.push(own[(Number(leader) + turn) % size]));
      running[taker] += points;
      row.id = `r${index}t${place}`;
      row.onclick = () => go(index, 1 + (place + 1) * size);
      return { row, own, taker, points, running: [...running] };
    });
    const lines = seats.map(({ name, dealt, passed }, seat) => (
      `${seat} ${name}: ${dealt.join(" ")}, passes ${passed.join(" ")}`
    ));
    const words = [sentence.textContent, ...lines, section.querySelector(".tricks").innerText].join("\n");
    return { seats, size, tricks, plays, words, papayoo: sentence.querySelector("b").textContent };
  });
  if (!rounds.length) return;

  let at = 0, step = 0, timer = 0;
  const { size, plays: { length } } = rounds[0], last = 1 + length;
  const [match] = /^#(m\d+)?/.exec(location.hash || "#"); // "#m5" on the page that shows every match
  const buttons = [["First", "|◀"], ["Back", "◀"], ["Autoplay", "Play"], ["Next", "▶"], ["Last", "▶|"]]
    .map(([name, sign]) => `<button aria-label="${name}" title="${name}">${sign}</button> `);
  const options = rounds.map((_, index) => `<option value=${index}>Round ${index}`);
  all(".round")[0].insertAdjacentHTML("beforebegin", `<section id=replay class=replay aria-label="Card table">
    <h2>Card table</h2><p class=said aria-live=polite></p><div class="felt cards"></div><div class=controls>
    <select aria-label=Round>${options.join("")}</select> ${buttons.join("")}
    <input type=range min=0 aria-label=Card><label><input type=checkbox checked> open hands</label></div>
    <table class=cards></table><details><summary>This round as text</summary><pre tabindex=0></pre></details>
    <p class=small>Keys: ← → card, Home End first or last card, n p next or previous round. Click a trick to go there.</p></section>`);
  const [box] = all("#replay"), controls = all("button", box);
  const [said, felt, choose, slider, open, table, text] = all(".said, .felt, select, input, table, pre", box);

  const show = () => {
    const { seats, tricks, plays, words, papayoo } = rounds[at], done = step - 2, index = Math.floor(done / size);
    const trick = tricks[index], whole = done % size === size - 1, before = tricks[whole ? index : index - 1];
    const gone = plays.slice(0, Math.max(0, done + 1));
    const face = (card, name = "") => make("i", card[0].toLowerCase() + name, card === papayoo ? make("b", "", card) : card);
    felt.replaceChildren(...seats.map((seat, place) => {
      const angle = Math.PI * (0.5 + (2 * place) / size), card = trick?.own[place];
      const chip = make("span", whole && place === trick.taker ? "chip t" : "chip", make("bdi", "", seat.name),
        gone.includes(card) ? face(card) : "·");
      chip.style.left = `${50 + 36 * Math.cos(angle)}%`;
      chip.style.top = `${50 + 38 * Math.sin(angle)}%`;
      return chip;
    }));
    table.replaceChildren(...seats.map(({ name, dealt, passed }, place) => {
      const got = seats.at(place - 1).passed; // from the right
      const holds = card => (dealt.includes(card) && !passed.includes(card)) || got.includes(card);
      const held = step ? deck.filter(card => holds(card) && !gone.includes(card)) : dealt;
      const hand = held.flatMap(card => [face(card, !step && passed.includes(card) ? " t" : ""), " "]);
      return make("tr", "", make("th", "", `${place} `, make("bdi", "", name)), make("td", "", ...(open.checked ? hand : [`${held.length} cards`])),
        make("td", "", before ? before.running[place] : 0));
    }));
    let happened = step ? `: cards passed. ${papayoo} is the Papayoo.` : ": cards dealt. Marked cards are passed to the left.";
    if (trick) {
      happened = `, trick ${index}: ${seats[trick.own.indexOf(plays[done])].name} plays ${plays[done]}.`;
      if (whole) happened += ` ${seats[trick.taker].name} takes ${trick.points}.`;
    }
    said.textContent = slider.ariaValueText = `Round ${at}${happened}`;
    slider.max = last;
    slider.value = step;
    choose.value = at;
    text.textContent = words;
    all(".now").forEach(row => row.classList.remove("now"));
    trick?.row.classList.add("now");
  };

  const set = (round, to) => {
    at = Math.min(Math.max(round, 0), rounds.length - 1);
    step = Math.min(Math.max(to, 0), last);
    show();
  };
  const go = (round, to) => {
    set(round, to);
    const done = step - 2;
    const place = step > 1 ? `t${Math.floor(done / size)}c${done % size}` : step ? "p" : "";
    history.replaceState(null, "", `${match}r${at}${place}`);
  };
  const move = by => {
    if (step + by > last && at + 1 < rounds.length) go(at + 1, 0);
    else if (step + by < 0 && at > 0) go(at - 1, last);
    else go(at, step + by);
  };
  const follow = () => {
    const [, round, pass, trick, card] = /^#(?:m\d+)?r(\d+)(p|t(\d+)(?:c(\d+))?)?$/.exec(location.hash) || [];
    if (!round) return show();
    set(Number(round), trick ? 2 + Number(trick) * size + Number(card ?? size - 1) : pass ? 1 : 0);
    if (card || match !== "#") box.scrollIntoView();
  };
  const play = () => {
    clearInterval(timer);
    timer = timer ? 0 : setInterval(() => (step === last && at + 1 === rounds.length ? play() : move(1)), 900);
    controls[2].textContent = timer ? "Pause" : "Play";
  };

  const acts = {
    Home: () => go(at, 0), ArrowLeft: () => move(-1), ArrowRight: () => move(1), End: () => go(at, last),
    n: () => go(at + 1, 0), p: () => go(at - 1, 0),
  };
  [acts.Home, acts.ArrowLeft, play, acts.ArrowRight, acts.End].forEach((act, place) => { controls[place].onclick = act; });
  open.onchange = show;
  slider.oninput = () => go(at, Number(slider.value));
  choose.onchange = () => go(Number(choose.value), 0);
  document.onkeydown = event => {
    const act = acts[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, pre")) return;
    event.preventDefault();
    act();
  };
  window.onhashchange = follow;
  follow();
})();

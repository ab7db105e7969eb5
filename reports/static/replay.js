"use strict";
// The card table of a match page. Everything it shows it reads from the tables of the page, which are
// complete without it. State: a round and a step: 0 dealt, 1 passed, then one more with every card.
// It draws with cards.js.
(() => {
  const { make, card, icon, number, cloth, graph } = drawing;
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const deck = [..."SHDCP"].flatMap(suit => [...Array(21).keys()].map(rank => suit + rank));
  // A cell of the table of hands holds the ranks of one suit.
  const cards = parts => parts.flatMap(part => (part.textContent.match(/\d+/g) || [])
    .map(rank => " SHDCP"[part.closest("td").cellIndex] + rank));
  const costs = cell => cell.querySelector(".costly")?.title;

  const sections = all(".round"), sums = Array(8).fill(0);
  const rounds = sections.map((section, index) => {
    const [sentence] = all("p", section), before = [...sums], plays = [];
    const seats = all(".hands tbody tr", section).map(row => {
      const [name] = all("bdi", row);
      return {
        name: name.textContent, star: name.nextSibling?.textContent[0] === "*", costly: costs(row.cells[0]),
        dealt: cards(all("td", row)), passed: cards(all("s", row)),
      };
    });
    const tricks = all(".tricks tbody tr", section).map((row, place) => {
      const [leads, ...cells] = all("td", row), first = Number(leads.textContent), { length } = seats;
      const [taker, points] = cells.slice(length).map(cell => Number(cell.textContent)), begin = place * length;
      seats.forEach((_, turn) => {
        const seat = (first + turn) % length, text = cells[seat].textContent, name = text.replace("*", "");
        plays.push({ seat, name, star: text !== name, costly: costs(cells[seat]) });
      });
      sums[taker] += points;
      row.id = `r${index}t${place}`;
      row.onclick = () => {
        stop(go)(index, 1 + begin + length);
        box.focus({ preventScroll: true });
        reveal();
      };
      return { row, first, taker, points, totals: [...sums], played: plays.slice(begin) };
    });
    const [dealer] = sentence.textContent.match(/\d+/).map(Number), [papayoo] = all("b", sentence);
    return { seats, dealer, before, tricks, plays, papayoo: papayoo.textContent };
  });
  if (!rounds.length) return;

  let at = 0, step = 0, timer = 0, heard = 0, drawn, mark;
  const [{ seats: { length: size }, plays: { length }, tricks: { length: per } }] = rounds, last = 1 + length;
  const [match] = /^#(m\d+)?/.exec(location.hash || "#"); // "#m5" on the page that shows every match

  // The card table and the tables of the rounds stand side by side where there is room.
  const log = make("div", ""), box = Object.assign(make("section", "replay"), { id: "replay", tabIndex: -1, ariaLabel: "Card table" });
  sections[0].before(make("div", "desk", box, log));
  log.append(...sections);
  box.innerHTML = `<h2>Card table</h2><div class=felt role=group aria-label=Table><div class=oval></div>
<div class=units>points: round · match</div><div class=sought></div><div class=middle></div><div class=layer aria-hidden=true></div><div class=layer></div></div>
<p class=said></p><p class=hidden aria-live=polite></p>
<div class=controls><div class=steps></div><input type=range min=0 max=${last} aria-label=Card>
<select aria-label=Round></select> <select aria-label=Speed></select>
<label><input type=checkbox checked> open hands</label><button>Copy link</button></div><div class=holds></div>
<div class=head><h3>Points</h3><select aria-label="Tricks in the graph"></select></div>
<div class=graph role=group aria-label="Points over the tricks"></div>
<p class=small>Ringed: the Papayoo. Marked: ${Math.ceil(500 / per)} points or more in a trick. *: a card of the stand-in.</p>
<p class=small>Keys, inside the card table: ← → card, Home End first or last card, n p next or previous round; the slider and the lists keep their own. Click a trick or a mark to go there.</p>`;
  const [felt, sought, middle, ghosts, layer, said, live, steps, slider, choose, speed, open, copy, holds, scope, chart] = all(
    ".felt, .sought, .middle, .layer, p:not(.small), .steps, input, select, .controls > button, .holds, .graph", box);
  const fill = (select, ...options) => select.append(...options.map(([name, value]) => new Option(name, value)));
  fill(choose, ...rounds.map((_, index) => [`Round ${index}`, index]));
  fill(speed, ...[0.5, 1, 2, 4].map(times => [`${times}×`, times]));
  fill(scope, ["whole match", "m"], ["this round", ""]);
  speed.value = 1;
  if (box.clientWidth < 480) scope.value = "";

  const { angle, put, chips, fly } = cloth(felt, rounds[0].seats.map(({ name }) => name));
  holds.style.setProperty("--cards", rounds[0].seats[0].dealt.length);

  const pace = () => 1100 / speed.value;

  // What happens in a step: one sentence in parts, in which a seat stands for its name.
  const happening = ({ seats, tricks, plays, papayoo }, done, whole) => {
    const play = plays[done], index = Math.floor(done / size), note = one => (one.star ? " (by the stand-in)" : one.costly ? ` (${one.costly})` : "");
    if (!step) return [`Round ${at}: cards dealt; ${papayoo} is the Papayoo, and raised cards are passed to the left.`];
    if (!play) return [`Round ${at}: cards passed to the left`, ...seats.flatMap((one, seat) => (note(one) ? [", ", seat, note(one)] : [])), "."];
    return [`Round ${at}, trick ${index}: `, play.seat, ` plays ${play.name === papayoo ? "the Papayoo " : ""}${play.name}${note(play)}`,
      ...(whole ? [...(play.seat === tricks[index].taker ? [" and"] : [", ", tricks[index].taker]), ` takes ${tricks[index].points}`] : []), "."];
  };

  const show = forward => {
    const { seats, tricks, plays, papayoo, dealer, before } = rounds[at], done = step - 2, index = Math.floor(done / size);
    const trick = tricks[index], whole = trick && done % size === size - 1, previous = tricks[index - 1];
    const gone = plays.slice(0, Math.max(0, done + 1)), totals = (whole ? trick : previous)?.totals ?? before;
    const next = whole ? trick.taker : plays[Math.max(0, done + 1)]?.seat;
    const duration = Math.min(420, pace() / 2), moves = forward && matchMedia("(prefers-reduced-motion: no-preference)").matches;
    const face = (name, more, note) => card(name, papayoo, more, note);

    // The cards of a trick go to their taker while the next one begins.
    ghosts.replaceChildren();
    if (moves && previous && !(done % size)) {
      ghosts.append(...layer.children);
      all(".played", ghosts).forEach(one => fly(one, previous.taker, duration, true));
    }
    layer.replaceChildren(...(trick ? gone.slice(index * size) : []).map(({ seat, name, star, costly }) => {
      const more = `${whole && seat === trick.taker ? " took" : ""}${costly ? " bad" : ""}`;
      const one = put(make("span", "played", face(name, more, star ? ", by the stand-in" : "")), seat, "near");
      one.style.rotate = `${((seat * 5 + index * 3) % 9) - 4}deg`;
      if (star) one.append(make("b", "star", "*"));
      one.title = costly ?? "";
      return one;
    }));
    if (!step) layer.append(put(make("span", "played die", face(papayoo)), 0, "mid"));
    if (step === 1) {
      layer.append(...seats.map(({ passed }, seat) => {
        const arrow = make("b", "arrow", "➜");
        arrow.style.rotate = `${90 + (angle(seat + 0.5) * 180) / Math.PI}deg`;
        return put(make("span", "played parcel", ...passed.map(name => face(name)), arrow), seat + 0.5, "near");
      }));
    }
    if (moves && step === 1) [...layer.children].forEach((one, seat) => fly(one, seat, duration));
    if (moves && trick) fly(layer.lastChild, plays[done].seat, duration, false, ghosts.firstChild ? duration / 2 : 0);
    sought.replaceChildren("Papayoo", face(papayoo));
    middle.textContent = !trick ? "" : whole ? `${trick.points} points` : `Trick ${index}`;

    chips.forEach(([chip, points, button, tag], seat) => {
      const takes = whole && seat === trick.taker, leads = seat === (trick ? trick.first : next);
      chip.className = `chip${takes ? " takes" : seat === next ? " next" : ""}`;
      points.replaceChildren(make("b", "", totals[seat] - before[seat]), make("i", "", " round · "), totals[seat], make("i", "", " match"));
      button.replaceChildren(...(seat === dealer ? ["D", make("span", "hidden", "eals")] : []));
      tag.textContent = takes ? `takes ${trick.points}` : whole ? "" : leads ? "leads" : seat === next ? "next" : "";
    });
    holds.replaceChildren(...seats.map(({ name, dealt, passed }, seat) => {
      const got = step ? seats.at(seat - 1).passed : []; // from the right
      const keeps = card => !gone.some(play => play.name === card) && (got.includes(card) || (dealt.includes(card) && !passed.includes(card)));
      const held = step ? deck.filter(keeps) : dealt, up = [passed, got][step] ?? [], count = held.length === 1 ? "1 card" : `${held.length} cards`;
      const fan = make("div", "fan", ...held.map(card => make("span", up.includes(card) ? "up" : "", open.checked ? face(card) : make("span", "card back"))));
      Object.assign(fan, { role: "img", ariaLabel: open.checked && held.join(" ") || count });
      return make("div", plays[done]?.seat === seat ? "acts" : "", make("p", "", number(seat), make("bdi", "", name), make("small", "", count)), fan);
    }));

    // One sentence a step is read out; while it plays by itself, one a trick and not more than one in two seconds.
    const sentence = () => happening(rounds[at], done, whole).map(part => (seats[part] ? make("bdi", "", seats[part].name) : part));
    said.replaceChildren(...sentence());
    if (document.activeElement !== slider && (!timer || (whole && performance.now() - heard > 2000))) {
      live.replaceChildren(...sentence());
      heard = performance.now();
    }
    slider.ariaValueText = said.textContent;
    slider.value = step;
    choose.value = at;
    all(".now").forEach(row => row.classList.remove("now"));
    trick?.row.classList.add("now");
    plot();
    mark((scope.value ? at * per : 0) + (trick ? index + 1 : 0));
  };

  // The graph, of the match or of the round.
  const plot = () => {
    const from = scope.value ? 0 : at, shown = scope.value ? rounds : [rounds[at]], base = shown[0].before;
    if (drawn === scope.value + from) return;
    drawn = scope.value + from;
    const lines = rounds[0].seats.map((_, seat) => [0, ...shown.flatMap(({ tricks }) => tricks.map(({ totals }) => totals[seat] - base[seat]))]);
    const marks = shown.flatMap(({ seats, tricks, papayoo }, round) => tricks.flatMap(({ taker, points, played }, index) => {
      const x = round * per + index + 1, heart = played.some(({ name }) => name === papayoo);
      const taken = heart ? `, with the Papayoo ${papayoo}` : "", where = `Round ${from + round}, trick ${index}: `, href = `${match}r${from + round}t${index}`;
      const stars = played.flatMap(({ seat, name, star }, turn) => (star ? [{
        x, y: 0, kind: "fault", seat, text: "*", href: `${href}c${turn}`, label: `${where}the stand-in plays ${name} for ${seats[seat].name}`,
      }] : []));
      return heart || points >= 500 / per ? [{
        x, y: lines[taker][x], kind: heart ? "heart" : "", seat: taker, text: points, href,
        label: `${where}${seats[taker].name} takes ${points}${taken}`,
      }, ...stars] : stars;
    }));
    const names = shown.map((_, round) => [round * per, (chart.clientWidth / shown.length > 55 ? "Round " : "R") + (from + round)]);
    mark = graph(chart, lines, names, marks, x => go(from + Math.floor(x / per), 1 + ((x % per) + 1) * size));
  };

  const set = (round, to, forward) => {
    at = Math.min(Math.max(round, 0), rounds.length - 1);
    step = Math.min(Math.max(to, 0), last);
    show(forward);
  };
  const anchor = () => {
    const done = step - 2, card = `t${Math.floor(done / size)}c${done % size}`;
    return `${match}r${at}${["", "p"][step] ?? card}`;
  };
  const go = (round, to, forward) => {
    set(round, to, forward);
    history.replaceState(null, "", anchor());
  };
  const move = by => {
    if (step + by > last && at + 1 < rounds.length) go(at + 1, 0);
    else if (step + by < 0 && at > 0) go(at - 1, last);
    else go(at, step + by, by > 0 && step < last);
  };
  // Brings the card table into view, and beside it the row of a trick that a link led to.
  const reveal = link => {
    const now = { behavior: "instant", block: "nearest" };
    if (getComputedStyle(box).position !== "sticky") return box.scrollIntoView();
    if (link) all(".now")[0].scrollIntoView({ ...now, block: "center" });
    box.scrollTo(0, 0);
    box.scrollIntoView(now);
  };
  const follow = () => {
    const [, round, pass, trick, card] = /^#(?:m\d+)?r(\d+)(p|t(\d+)(?:c(\d+))?)?$/.exec(location.hash) || [];
    if (!round) return show();
    stop(set)(Number(round), trick ? 2 + Number(trick) * size + Number(card ?? size - 1) : pass ? 1 : 0);
    if (trick || match !== "#") reveal(trick);
  };

  const name = (button, title, d) => {
    Object.assign(button, { title, ariaLabel: title });
    button.replaceChildren(icon(d), title[0] === "P" ? title : "");
    return button;
  };
  const play = on => {
    clearTimeout(timer);
    timer = on ? setTimeout(run, pace() * (step > 1 && (step - 1) % size === 0 ? 1.7 : 1)) : 0;
    name(controls[2], ...(on ? ["Pause", "M7 5h4v14H7zM14 5h4v14h-4z"] : ["Play", "M7 5v14l11-7z"]));
  };
  const run = () => {
    move(1);
    play(step < last || at + 1 < rounds.length);
  };
  const stop = act => (...how) => { play(); act(...how); };
  const acts = {
    Home: stop(() => go(at, 0)), ArrowLeft: stop(() => move(-1)), ArrowRight: stop(() => move(1)), End: stop(() => go(at, last)),
    n: stop(() => go(at + 1, 0)), p: stop(() => go(at - 1, 0)),
  };
  const controls = [
    ["First", "M6 5h2v14H6zM19 5v14L9 12z", acts.Home], ["Back", "M17 5v14L7 12z", acts.ArrowLeft], ["Play", "", () => {
      if (!timer && step === last && at + 1 === rounds.length) go(0, 0);
      play(!timer);
    }], ["Next", "M7 5v14l10-7z", acts.ArrowRight], ["Last", "M16 5h2v14h-2zM5 5v14l10-7z", acts.End],
  ].map(([title, d, onclick]) => Object.assign(name(make("button", ""), title, d), { onclick }));
  steps.append(...controls);
  open.onchange = scope.onchange = () => show();
  slider.oninput = stop(() => go(at, Number(slider.value)));
  choose.onchange = stop(() => go(Number(choose.value), 0));
  box.onkeydown = event => {
    const act = acts[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, [type=range]")) return;
    event.preventDefault();
    act();
  };
  copy.onclick = async () => {
    const address = location.href.split("#")[0] + anchor();
    let done = true;
    try {
      await navigator.clipboard.writeText(address);
    } catch { // not on a page from a file or from a server without a certificate
      const area = copy.appendChild(Object.assign(make("textarea", ""), { value: address }));
      area.select();
      done = document.execCommand("copy");
      copy.focus();
    }
    live.textContent = copy.textContent = done ? "Link copied" : "Copying is forbidden";
    setTimeout(() => { copy.textContent = "Copy link"; }, 2500);
  };
  onhashchange = follow;
  onclick = ({ target }) => {
    if (target.closest("a")?.hash === location.hash) setTimeout(follow); // the hash does not change
  };
  onload = () => all(".now")[0] && reveal(true); // after the browser went to the row of the trick
  play();
  follow();
})();

"use strict";
// The page of a person's seat. It shows the newest state that the server has sent, card by card at a pace that
// eyes can follow, and sends what the person chooses; which cards may be chosen, the server says. Drawn by
// cards.js, in the words of wording.js.
(() => {
  const { make, card, number, cloth } = drawing;
  const [main, trouble] = [document.querySelector("main"), document.querySelector("#trouble")];
  const box = Object.assign(make("section", "replay seat"), { ariaLabel: "Card table" }), beside = make("div", "beside");
  main.append(box, beside);
  box.innerHTML = `<p class=stage></p><div class=felt role=group aria-label=Table><div class=oval></div>
<div class=units>points: round · match</div><div class=sought></div><div class=middle></div><div class=layer aria-hidden=true></div><div class=layer></div></div>
<p class=said></p><p class=hidden aria-live=polite></p>
<div class=own><h2>Your hand</h2><small></small><button class=act hidden></button></div>
<div class=hand role=group aria-label="Your hand" tabindex=-1></div>
<details class=wishes><summary>Settings and keys</summary>
<label>Speed <select></select></label> <label><input type=checkbox> press a card twice to play it</label>
<p class=small>Keys, inside your hand: ← → Home End to another card, Enter or Space to choose it. A click on the table shows at once what is still to be shown.</p></details>`;
  beside.innerHTML = `<ul class=notes hidden></ul><section class=result hidden aria-labelledby=result><h2 id=result>Result</h2></section>
<section class=sums hidden aria-labelledby=sums><h2 id=sums>Points</h2><div class=scroll role=group aria-labelledby=sums tabindex=0><table class=grid></table></div></section>
<details class=past hidden><summary>Tricks of this round</summary><div class=scroll role=group aria-label="Tricks of this round" tabindex=0><table class=tricks></table></div></details>`;
  const [stage, felt, sought, middle, ghosts, layer, said, live, own, size, act, hand, speed, twice] = box.querySelectorAll(
    ".stage, .felt, .sought, .middle, .layer, .said, .hidden, .own, .own small, .act, .hand, select, input");
  const [notes, result, sums, past] = beside.querySelectorAll(".notes, .result, .sums, .past");

  // What is known, what is shown of it, and what the person is about to do.
  let state, seats, at = { round: 0, cards: 0 }, picked = [], sent = "";

  // The settings stay in this browser, where it allows that.
  const paces = { slow: 1600, normal: 800, fast: 300, none: 0 };
  const setting = (key, usual) => { try { return localStorage.getItem(key) ?? usual; } catch { return usual; } };
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* it is forbidden */ } };
  Object.entries({ slow: "slow", normal: "normal", fast: "fast", none: "all at once" })
    .forEach(([key, word]) => speed.append(new Option(word, key)));
  speed.value = setting("papayoo-speed", "normal");
  twice.checked = setting("papayoo-twice", String(matchMedia("(pointer: coarse)").matches)) === "true";
  const pace = () => paces[speed.value] ?? paces.normal;

  // The round in view, as far as it is shown. `last`: the trick in view; `cards`: what is shown of it.
  const cardsOf = round => [...round.tricks.flatMap(({ cards }) => cards), ...round.trick];
  const seen = () => {
    const round = state.played[at.round], { length } = state.names, index = Math.max(0, Math.ceil(at.cards / length) - 1);
    const last = round.tricks[index] ?? { leader: round.leader, cards: round.trick }, cards = last.cards.slice(0, at.cards - index * length);
    const whole = cards.length === length, next = whole ? last.taker : (last.leader + cards.length) % length;
    const tricks = round.tricks.slice(0, Math.floor(at.cards / length));
    return { ...round, tricks, index, last, cards, whole, next, before: state.played.slice(0, at.round) };
  };
  const isNewest = () => !state.played.length || (at.round === state.played.length - 1 && at.cards === cardsOf(state.played[at.round]).length);
  const behind = () => state.played.slice(at.round).reduce((count, round) => count + cardsOf(round).length, -at.cards);
  const isMine = () => isNewest() && state.question !== "" && state.question !== sent;
  const led = () => { const { whole, cards } = seen(); return whole ? "" : cards[0] ?? ""; };
  const sum = (tricks, seat) => tricks.reduce((count, { taker, points }) => count + (taker === seat ? points : 0), 0);

  // Towards the newest state, step by step; `news` is what has not been read out.
  let timer = 0, due = 0, news = [], told = 0, exchanged = -1;
  const step = () => {
    if (at.cards === cardsOf(state.played[at.round]).length) {
      at = { round: at.round + 1, cards: 0 };
      picked = [];
      news.push(wording.deals(state, at.round, state.played[at.round].dealer));
      return;
    }
    at.cards += 1;
    const { last, cards, whole, papayoo, stars } = seen(), name = cards.at(-1), seat = (last.leader + cards.length - 1) % state.names.length;
    if (seat !== state.seat || stars.includes(name)) news.push(wording.plays(state, seat, name, papayoo, stars.includes(name)));
    if (whole) news.push(wording.takes(state, last.taker, last.points));
  };
  const go = () => {
    clearTimeout(timer);
    if (!pace()) return skip();
    if (isNewest()) return show();
    timer = setTimeout(() => {
      step();
      due = performance.now() + pace() * (seen().whole ? 1.8 : 1);
      show(true);
      go();
    }, Math.max(0, due - performance.now()));
  };
  const skip = () => {
    clearTimeout(timer);
    while (!isNewest()) step();
    show();
  };
  const heard = newer => {
    const first = !state;
    state = newer;
    if (state.question !== sent) sent = "";
    if (state.left !== null) ends = performance.now() + 1000 * state.left;
    if (first) seats = cloth(felt, state.names.map((name, seat) => wording.who(state, seat)), state.seat);
    // The first state is shown as it is, and so is one that is far ahead: whoever comes back knows those cards.
    if (first || behind() > 2 * state.names.length) {
      at = { round: Math.max(0, state.played.length - 1), cards: state.played.length ? cardsOf(state.played.at(-1)).length : 0 };
      picked = [];
    }
    go();
  };

  // Draws what is to be seen. `moved`: a card has just fallen.
  const show = moved => {
    const mine = isMine(), begun = state.played.length > 0;
    if (begun) showTable(moved);
    showChips();
    showHand(mine);
    say(mine);
    if (begun) showPoints();
    showResult();
    document.title = mine ? "Your turn · Papayoo" : "Your seat · Papayoo";
  };

  const showTable = moved => {
    const { papayoo, last, cards, whole, index, stars, tricks } = seen(), { length } = state.names;
    const moves = moved && cards.length > 0 && matchMedia("(prefers-reduced-motion: no-preference)").matches, duration = Math.min(420, pace() / 2);
    const leaves = moves && cards.length === 1 && tricks.length > 0;
    ghosts.replaceChildren(...(leaves ? layer.children : []));
    if (leaves) [...ghosts.children].forEach(one => seats.fly(one, tricks.at(-1).taker, duration, true));
    layer.replaceChildren(...cards.map((name, turn) => {
      const seat = (last.leader + turn) % length, star = stars.includes(name);
      const face = card(name, papayoo, whole && seat === last.taker ? "took" : "", star ? ", by the stand-in" : "");
      const one = seats.put(make("span", "played", face, ...(star ? [make("b", "star", "*")] : [])), seat, "near");
      one.style.rotate = `${((seat * 5 + index * 3) % 9) - 4}deg`;
      return one;
    }));
    if (moves) seats.fly(layer.lastChild, (last.leader + cards.length - 1) % length, duration, false, leaves ? duration / 2 : 0);
    sought.replaceChildren(...(papayoo ? ["Papayoo", card(papayoo, papayoo)] : []));
    middle.textContent = whole ? wording.points(last.points) : papayoo ? `Trick ${tricks.length}` : "Passing";
    stage.textContent = `Round ${at.round} · ${state.rounds} in all`;
  };

  const showChips = () => {
    const newest = isNewest(), { tricks, before, whole, last, next, dealer } = state.played.length ? seen() : { tricks: [], before: [] };
    const out = new Set(state.notes.map(({ seat }) => seat));
    seats.chips.forEach(([chip, points, button, tag], seat) => {
      const thinks = newest && state.thinking.includes(seat), takes = whole && seat === last.taker, round = sum(tricks, seat);
      chip.className = `chip${takes ? " takes" : thinks || seat === next ? " next" : ""}`;
      tag.textContent = takes ? (last.points ? `takes ${last.points}` : "takes it") : out.has(seat) ? "stand-in" : state.away.includes(seat) ? "away"
        : !thinks ? "" : seat === state.seat ? "your turn" : "thinking";
      points.replaceChildren(make("b", "", round), make("i", "", " round · "), before.reduce((count, one) => count + sum(one.tricks, seat), round), make("i", "", " match"));
      button.replaceChildren(...(seat === dealer ? ["D", make("span", "hidden", "eals")] : []));
    });
  };

  // The hand: a button a card. A button stays as long as its card, and so does the focus.
  const buttons = new Map();
  const showHand = mine => {
    const current = at.round === state.round, held = current ? state.hand : [];
    const papayoo = current ? state.played[at.round]?.papayoo ?? "" : "", passing = mine && state.stage === "passing";
    const fresh = current && state.stage === "playing" && at.cards < state.names.length ? state.received : [];
    const inside = hand.contains(document.activeElement);
    [...buttons.keys()].filter(name => !held.includes(name)).forEach(name => {
      buttons.get(name).remove();
      buttons.delete(name);
    });
    held.forEach((name, place) => {
      const button = buttons.get(name) ?? make("button", ""), free = mine && state.legal.includes(name), up = picked.includes(name);
      buttons.set(name, button);
      const classes = { free, up, fresh: fresh.includes(name), suit: place && held[place - 1][0] !== name[0] };
      button.className = Object.keys(classes).filter(key => classes[key]).join(" ");
      if (button.dataset.papayoo !== papayoo) button.replaceChildren(card(name, papayoo));
      button.firstChild.ariaHidden = true;
      Object.assign(button.dataset, { name, papayoo });
      button.ariaLabel = fresh.includes(name) ? `${wording.words(name, papayoo)}, received` : wording.words(name, papayoo);
      button.ariaDisabled = !free;
      button.ariaPressed = passing ? up : null;
      if (hand.children[place] !== button) hand.insertBefore(button, hand.children[place] ?? null);
    });
    hand.classList.toggle("mine", mine);
    reach(inside ? (mine ? "focus" : "hold") : "");
    size.textContent = held.length === 1 ? "1 card" : held.length ? `${held.length} cards` : "";
    act.hidden = !passing;
    act.disabled = picked.length !== state.count;
    act.textContent = passing ? wording.passButton(state, picked) : "";
  };
  // One card of those that may be chosen is reached with the Tab key, the others from there with arrows.
  const choosable = () => [...hand.children].filter(button => !hand.classList.contains("mine") || button.classList.contains("free"));
  const reach = (focus, wanted) => {
    const those = choosable(), now = wanted ?? those.find(one => one === document.activeElement) ?? those.find(one => one.tabIndex === 0) ?? those[0];
    [...hand.children].forEach(one => { one.tabIndex = one === now ? 0 : -1; });
    if (focus === "focus" && now !== document.activeElement) now?.focus();
    if (focus === "hold" && !hand.contains(document.activeElement)) hand.focus();
  };
  hand.onkeydown = event => {
    const those = choosable(), place = those.indexOf(document.activeElement);
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: those.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    reach("focus", those[Math.min(Math.max(to, 0), those.length - 1)]);
  };

  // What the person chooses
  const choose = name => {
    if (!state.question || sent === state.question) return;
    if (!isNewest()) skip();
    if (!state.legal.includes(name)) return remark(wording.follow(led()));
    if (state.stage === "passing") {
      picked = picked.includes(name) ? picked.filter(one => one !== name) : [...picked, name].slice(-state.count);
      show();
    } else if (twice.checked && picked[0] !== name) {
      picked = [name];
      show();
    } else {
      send([name]);
    }
  };
  const post = (what, content) => fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) });
  const send = async cards => {
    const question = sent = state.question;
    picked = [];
    show();
    let refusal;
    try {
      const reply = await post("answer", { question, cards });
      refusal = reply.ok ? "" : (await reply.json()).sentence;
    } catch {
      refusal = "The arena does not answer: your choice was not sent.";
    }
    if (refusal && sent === question) sent = "";
    if (refusal) {
      show();
      remark(refusal);
    }
  };
  const remark = sentence => { said.textContent = live.textContent = sentence; };
  hand.onclick = ({ target }) => {
    const name = target.closest("button")?.dataset.name;
    if (name) choose(name);
  };
  act.onclick = () => send(picked);
  felt.onclick = () => state && skip();
  speed.onchange = () => { keep("papayoo-speed", speed.value); if (state) go(); };
  twice.onchange = () => { keep("papayoo-twice", twice.checked); };

  // On the page stands what is asked now; to those who listen, all that has happened since is said as well.
  let ends = 0, wasMine = false;
  const asked = mine => {
    const left = mine && state.left !== null ? wording.seconds(Math.max(0, Math.ceil((ends - performance.now()) / 1000))) : "";
    return wording.asked(state, mine, state.played.length ? led() : "", picked, state.played[at.round]?.papayoo) + left;
  };
  const say = mine => {
    const { whole, last, cards, papayoo, stars } = state.played.length ? seen() : {};
    if (isNewest()) said.textContent = asked(mine);
    else if (whole) said.textContent = wording.takes(state, last.taker, last.points);
    else if (cards.length) said.textContent = wording.plays(state, (last.leader + cards.length - 1) % state.names.length, cards.at(-1), papayoo, stars.includes(cards.at(-1)));
    if (at.round === state.round && papayoo && state.received.length && exchanged < at.round) {
      exchanged = at.round;
      news.push(wording.exchanged(state, papayoo));
    }
    state.notes.slice(told).forEach(note => news.push(wording.noted(state, note)));
    told = state.notes.length;
    if (!isNewest()) return;
    if (news.length || mine !== wasMine) live.textContent = [...news, wording.asked(state, mine, state.played.length ? led() : "", picked, papayoo)].join(" ");
    news = [];
    wasMine = mine;
  };
  setInterval(() => { if (state?.left != null && isMine()) said.textContent = asked(true); }, 500);

  // The tables beside it
  const row = (head, ...cells) => make("tr", "", ...cells.map((cell, place) => (cell instanceof Node ? cell : make(place && !head ? "td" : "th", "", cell))));
  const named = seat => make("th", "", number(seat), " ", make("bdi", "", wording.who(state, seat)));
  const fill = (table, head, rows, ...foot) => table.replaceChildren(
    make("thead", "", row(true, ...head)), make("tbody", "", ...rows.map(cells => row(false, ...cells))), ...foot.map(cells => make("tfoot", "", row(false, ...cells))));
  const showPoints = () => {
    const { tricks, before } = seen(), all = state.names.map((_, seat) => seat), rounds = [...before.map(round => round.tricks), tricks];
    sums.hidden = false;
    past.hidden = !tricks.length;
    fill(sums.querySelector("table"), ["Round", ...all.map(named)], rounds.map((played, round) => [round, ...all.map(seat => sum(played, seat))]),
      ["Sum", ...all.map(seat => sum(rounds.flat(), seat))]);
    fill(past.querySelector("table"), ["Trick", ...all.map(named), "Points"], tricks.map(({ leader, cards, taker, points }, trick) => [trick, ...all.map(seat => (
      make("td", seat === taker ? "taker" : "", cards.at(seat - leader)))), points]));
  };
  const showResult = () => {
    notes.hidden = !state.notes.length;
    notes.replaceChildren(...state.notes.map(note => make("li", "", wording.noted(state, note))));
    const { result: ended, documents, review } = state, text = JSON.stringify([ended, documents, review]), table = make("table", "");
    if (!ended || !isNewest() || result.dataset.shown === text) return;
    result.dataset.shown = text;
    const order = ended.map((one, seat) => seat).sort((one, other) => ended[one].place - ended[other].place), faults = ended.some(({ charge }) => charge);
    fill(table, ["Place", "Player", "Points", ...(faults ? ["for faults", "Total"] : [])], order.map(seat => {
      const { place, points, charge } = ended[seat];
      return [place, named(seat), points, ...(faults ? [charge, points + charge] : [])];
    }));
    hand.hidden = own.hidden = true;
    const button = make("button", "", "What did my decisions cost?");
    const words = { "match.html": "The match with all cards", "match.json": "The match as a file", "review.html": "What your decisions cost" };
    button.onclick = () => {
      button.disabled = true;
      post("review", {});
    };
    result.hidden = false;
    result.replaceChildren(result.firstChild, make("p", "lead", wording.outcome(state)), Object.assign(make("div", "scroll", table), { tabIndex: 0 }),
      make("p", "links", ...documents.flatMap(href => [Object.assign(make("a", "", words[href]), { href, target: "_blank" }), " "])),
      ...(review ? [make("p", "", wording.review(review))] : documents.includes("review.html") ? [] : [button]));
  };

  // The connection. A browser asks again by itself when it is lost.
  const wrong = (sentence, ...more) => {
    trouble.hidden = !sentence;
    trouble.replaceChildren(sentence, ...more);
  };
  const listen = () => {
    const source = new EventSource("events");
    source.onmessage = ({ data }) => {
      wrong("");
      heard(JSON.parse(data));
    };
    source.addEventListener("elsewhere", () => {
      source.close();
      const button = make("button", "", "Play here");
      button.onclick = listen;
      wrong("This seat is open in another window now. ", button);
    });
    source.onerror = () => {
      if (state?.result) source.close();
      else if (source.readyState === EventSource.CLOSED) wrong("This seat needs an address that the terminal shows. Press Enter there for a new one, and open it in this browser.");
      else wrong("The arena does not answer: it was ended, or its machine sleeps.");
    };
  };
  const enter = async () => {
    const token = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    try {
      const reply = token ? await post("enter", { token }) : { ok: true };
      if (reply.ok) listen();
      else wrong("This address has been used, or there is a newer one. Press Enter in the terminal, and open the address that it shows then.");
    } catch {
      wrong("The arena does not answer: is it still running?");
    }
  };
  enter();
})();

"use strict";
// The page that shows any match: #m123, and #m123r2t5s0 for the card of seat 0 in a trick. The match comes with others
// in a script (a page opened from a file can load nothing else), or is inside the page of one match (#r2t5s0). It is
// dealt and played again here; then the tables are filled, and the card table shows it, drawn by cards.js.
// State of that: a round and a step: 0 dealt, 1 passed, then one more with every card.
(() => {
  const { make, card, icon, number, cloth, graph } = drawing;
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const one = (selector, inside = document) => inside.querySelector(selector);
  const page = one("#match"), { passed: count, chunk, scripts, last: newest } = page.dataset, alone = one("#data");
  const [, digits] = /^#m(\d+)/.exec(location.hash) || [], prefix = alone ? "#" : `#m${digits}`;
  const deck = [..."SHDC"].flatMap(suit => [...Array(10).keys()].map(rank => suit + (rank + 1)))
    .concat([...Array(20).keys()].map(rank => `P${rank + 1}`));
  const plural = (many, word) => `${many} ${word}${many === 1 ? "" : "s"}`;
  const grouped = value => new Intl.NumberFormat("en").format(value).replace("-", "−");
  const sum = values => values.reduce((total, value) => total + value, 0);
  const link = (href, ...inside) => Object.assign(make("a", "", ...inside), { href });
  const cell = (tag, ...inside) => make(tag, "", ...inside);

  // A round of which the cards are known: by seat what was dealt and passed, the tricks, and all cards in order.
  const replayed = (text, at, names) => {
    const [cards, given = ""] = text.split(" "), starred = given.split(","), star = decision => starred.includes(`${decision}`);
    const [papayoo, ...rest] = [...cards].map(letter => deck[letter.charCodeAt() - 48]), { length } = names;
    const passes = names.map(() => rest.splice(0, count)), held = passes.map(passed => [...passed]);
    const points = names.map(() => 0), plays = [], tricks = [], dealer = at % length;
    for (let leader = dealer; rest.length;) {
      const played = names.map((_, turn) => {
        const seat = (leader + turn) % length, name = rest.shift();
        if (!passes.at(seat - 1).includes(name)) held[seat].push(name);
        return { seat, name, star: star(length + plays.length + turn) };
      });
      const led = played[0].name[0], rank = ({ name }) => (name[0] === led ? Number(name.slice(1)) : 0);
      const taker = played.reduce((best, next) => (rank(next) > rank(best) ? next : best)).seat;
      const taken = sum(played.map(({ name }) => (name[0] === "P" ? Number(name.slice(1)) : name === papayoo ? 40 : 0)));
      points[taker] += taken;
      tricks.push({ first: leader, taker, points: taken, soFar: points[taker], played });
      plays.push(...played);
      leader = taker;
    }
    const seats = names.map((name, seat) => ({ name, star: star(seat), dealt: deck.filter(card => held[seat].includes(card)), passed: passes[seat] }));
    return { papayoo, dealer, seats, tricks, plays, points };
  };

  // The tables of a round. What is put in as HTML are cards and numbers only, no names of bots.
  const face = (name, papayoo, shown = name) => (name === papayoo ? `<b>${shown}</b>` : shown);
  const filled = (element, html, name = "") => Object.assign(element, { innerHTML: html, className: name });
  const handRow = ({ name, star, dealt, passed }, seat, papayoo) => cell("tr", cell("th", `${seat} `, make("bdi", "", name), star ? "*" : ""),
    ...[..."SHDCP"].map(suit => filled(cell("td"), dealt.filter(card => card[0] === suit).map(card => {
      const rank = face(card, papayoo, card.slice(1));
      return passed.includes(card) ? `<s>${rank}</s>` : rank;
    }).join(" ").replaceAll("</s> <s>", " "))));
  const trickRow = ({ first, taker, points, soFar, played }, index, papayoo) => {
    const led = played[0].name[0].toLowerCase(), bySeat = [...played].sort((a, b) => a.seat - b.seat);
    return Object.assign(cell("tr", cell("th", index), cell("td", first), ...bySeat.map(({ seat, name, star }) => filled(cell("td"),
      face(name, papayoo) + (star ? "*" : ""), seat === taker ? "t" : name[0].toLowerCase() === led ? "" : name[0].toLowerCase())),
    cell("td", taker), cell("td", points), cell("td", soFar)), { className: led === "p" ? "" : led });
  };
  const scrolling = (table, wide, ariaLabel) => {
    if (!wide) return table;
    const box = Object.assign(make("div", "scroll", table), { ariaLabel, tabIndex: 0 });
    box.role = "group";
    return box;
  };
  const section = ({ papayoo, dealer, seats, tricks }, round, others) => {
    const hands = make("table", "hands"), table = make("table", "tricks"), wide = seats.length > 4, suit = papayoo[0].toLowerCase();
    hands.innerHTML = "<caption>Hands as dealt; <s>marked</s>: passed to the left</caption><thead><tr><th>Seat<th>Spades<th>Hearts<th>Diamonds<th>Clubs<th>Payoo<tbody>";
    hands.tBodies[0].append(...seats.map((hand, seat) => handRow(hand, seat, papayoo)));
    table.innerHTML = `<caption>Tricks: cards by seat</caption><thead><tr><th>Trick<th>Leads<th>${Object.keys(seats).join("<th>")}<th>Takes<th>Points<th>So far<tbody>`;
    const rows = tricks.map((trick, index) => trickRow(trick, index, papayoo));
    table.tBodies[0].append(...rows);
    const heading = Object.assign(cell("h2", `Round ${round}`), { id: `r${round}` });
    const die = filled(make("p"), `Seat ${dealer} deals. The die makes <i class=${suit}><b>${papayoo}</b></i> the Papayoo.`, "cards");
    const sides = make("div", `sides${wide ? " stacked" : ""}`, scrolling(hands, wide, `Hands of round ${round}`), scrolling(table, wide, `Tricks of round ${round}`));
    const made = make("section", "round", heading, die, sides, ...(others ? [link("#others", "Results of others with these cards")] : []));
    made.setAttribute("aria-labelledby", `r${round}`);
    return [made, rows];
  };

  // Fills the page, and shows the card table where there are cards.
  const fill = ({ bots, matches }, id) => {
    const match = matches[id], { hidden } = match, names = match.bots.map(bot => bots[bot].name);
    const rounds = hidden ? [] : match.rounds.map((text, at) => replayed(text, at, names));
    const points = hidden ? match.rounds : rounds.map(round => round.points), faults = match.faults ?? [];
    const sums = names.map((_, seat) => sum(points.map(round => round[seat])));
    const others = Object.entries(matches).filter(([other, { session }]) => session === match.session && Number(other) !== id);
    const begin = name => [make("span", "seat", name), " "];

    if (!alone) document.title = `Match ${id} · ${document.title}`;
    one("h1", page).textContent = alone ? one("h1", page).textContent : `Match ${id}`;
    one(".outcome").textContent = match.result;
    one(".lead", page).replaceChildren(match.about, " ", ...(match.standing ? [make("strong", "", match.standing)] : []));
    if (others.length) one(".lead", page).after(make("p", "", "The same deals in other seat orders: ",
      ...others.flatMap(([other], place) => [place ? ", " : "", link(`#m${other}`, `match ${other}`)]), "."));
    if (!alone) one(".pager").append(...[[id - 1, "prev", `← Match ${id - 1}`], [id + 1, "next", `Match ${id + 1} →`]]
      .filter(([other]) => other > 0 && other <= newest && (other in matches || beside(other) !== beside(id))).map(([other, rel, words]) => Object.assign(link(`#m${other}`, words), { rel })));
    one("#unseen").hidden = !hidden;
    one("#unseen").replaceChildren(make("strong", "", "Scores only."), ` ${hidden}`);
    one("#sandbox").textContent = match.sandbox;

    one(".result tbody").append(...match.seats.map(([place, charge, mean, longest, notes], seat) => {
      const { name, path } = bots[match.bots[seat]], own = faults.filter(fault => fault.seat === seat).length;
      const who = cell("th", path ? link(path, make("bdi", "", name)) : make("bdi", "", name));
      if (own) who.append(" ", Object.assign(link("#faults", plural(own, "fault")), { className: "fault" }));
      who.append(...notes.map(note => cell("small", note)));
      const row = [place, grouped(sums[seat] + charge), grouped(sums[seat]), grouped(charge), mean, longest].map(value => cell("td", value));
      return make("tr", place === 1 ? "first" : "", cell("td", seat), who, ...row);
    }));
    const grid = one(".grid");
    grid.tHead.append(cell("tr", cell("th", "Round"), ...names.map((name, seat) => cell("th", ...begin(seat), make("bdi", "", name)))));
    grid.tBodies[0].append(...points.map((round, at) => cell("tr", cell("th", hidden ? at : link(`${prefix}r${at}`, at)), ...round.map((value, seat) => {
      const dealer = seat === at % names.length, erred = faults.filter(fault => fault.round === at && fault.seat === seat).length;
      const mark = Object.assign(link("#faults", "!"), { className: "fault", ariaLabel: plural(erred, "fault") });
      return make("td", dealer ? "dealer" : "", value, ...(dealer ? [Object.assign(cell("abbr", "d"), { title: "dealer" })] : []), ...(erred ? [mark] : []));
    }))));
    grid.tFoot.append(cell("tr", cell("th", "Sum"), ...sums.map(value => cell("td", grouped(value)))));
    fillFaults(match, names, faults);
    if (match.stderr) one("#stderr").parentNode.hidden = false;
    one("#stderr").after(...(match.stderr ?? []).flatMap(([seat, size, text]) => [
      cell("h3", `Seat ${seat}, `, make("bdi", "", names[seat]), `: ${size}`), Object.assign(cell("pre", text), { dir: "ltr", tabIndex: 0 })]));
    if (match.messages) one("#more").append(link(`${id}-messages.html`, "Messages of this match"), ". ");
    if (match.file) one("#more").append("To let a bot play this match again and see where it answers differently, get ",
      Object.assign(link(`${id}.json`, `${id}.json`), { download: "" }), " and run ", cell("code", `arena replay ${id}.json --bot BOT`));
    if (hidden) one("#cards").remove();
    else {
      const tricks = rounds.flatMap((round, at) => round.tricks.map((trick, index) => ({ ...trick, at, index })));
      const costliest = tricks.sort((a, b) => b.points - a.points).slice(0, 3);
      one(".tricky").append("The costliest tricks: ", ...costliest.flatMap(({ at, index, points, taker }, place) => [place ? ", " : "",
        link(`${prefix}r${at}t${index}`, `round ${at}, trick ${index}`), ` (${points} to `, make("bdi", "", names[taker]), ")"]), ".");
      if (others.length) fillOthers(others, bots, points, names);
      const sections = rounds.map((round, at) => section(round, at, others.length > 0));
      one(".log").append(...sections.map(([made]) => made));
      one("#cards").hidden = false;
      const before = names.map(() => 0);
      rounds.forEach((round, at) => {
        round.before = [...before];
        round.tricks.forEach((trick, index) => {
          before[trick.taker] += trick.points;
          Object.assign(trick, { row: sections[at][1][index], totals: [...before] });
          trick.row.id = `r${at}t${index}`;
        });
      });
    }
    one("#lost")?.remove();
    page.hidden = false;
    if (rounds.length) table(rounds);
    const [, part] = /^#(?:m\d+)?([a-z]+)$/.exec(location.hash) || [];
    if (part) one(`#${part}`)?.scrollIntoView();
  };
  const fillFaults = ({ unsaid }, names, faults) => {
    if (!faults.length) return;
    const box = one("#faults").parentNode, shown = faults.filter(fault => fault.kind);
    box.hidden = false;
    one("p", box).textContent = unsaid ? `${plural(faults.length, "fault")}. ${unsaid}${shown.length ? " Your own:" : ""}` : "";
    one("ol", box).append(...shown.map(({ seat, round, place, kind, after, reason, sent }) => cell("li",
      cell("p", make("strong", "", make("bdi", "", names[seat])), ` (seat ${seat}), `, round === null ? place : link(`${prefix}r${round}`, place), ": ", make("span", "kind", kind), after),
      cell("p", reason), ...(sent ? [cell("p", "The beginning of what it sent:"), Object.assign(cell("pre", sent), { dir: "ltr", tabIndex: 0 })] : []))));
  };
  const fillOthers = (others, bots, points, names) => {
    const table = one(".others"), away = value => (value > 0 ? make("b", "", `+${value}`) : value < 0 ? make("i", "", `−${-value}`) : "±0");
    one("#others").parentNode.hidden = false;
    table.tHead.append(cell("tr", cell("th", "Round"), ...names.map((_, seat) => cell("th", `Seat ${seat}`))));
    table.append(...others.map(([id, match]) => {
      const sat = match.bots.map(bot => bots[bot].name), head = cell("tr", cell("th", link(`#m${id}`, `Match ${id}`)), ...sat.map(name => cell("th", make("bdi", "", name))));
      return cell("tbody", head, ...match.rounds.map((text, at) => cell("tr", cell("th", link(`#m${id}r${at}`, at)),
        ...replayed(text, at, sat).points.map((value, seat) => cell("td", `${value} `, away(value - points[at][seat]))))));
    }));
  };

  // The number of the script that a match is in.
  const beside = number => Math.ceil(number / chunk);

  // The match is shown once; if its data have changed since, as when its cards may be shown, the page is loaded anew.
  let known;
  const load = () => {
    const path = `${scripts}${beside(digits)}.js`;
    const script = Object.assign(document.createElement("script"), { src: path, onload: () => script.remove() });
    document.body.append(script);
  };
  window.papayoo = data => {
    if (!data.matches[digits]) return;
    const text = JSON.stringify(data.matches[digits]);
    if (known === undefined) fill(data, Number(digits));
    else if (known !== text) location.reload();
    known = text;
  };

  const table = rounds => {
    let at = 0, step = 0, timer = 0, heard = 0, drawn, mark;
    const [{ seats: { length: size }, plays: { length }, tricks: { length: per } }] = rounds, last = 1 + length;
    const box = one("#replay");
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
      const play = plays[done], index = Math.floor(done / size), note = play => (play.star ? " (by the stand-in)" : "");
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
      layer.replaceChildren(...(trick ? gone.slice(index * size) : []).map(({ seat, name, star }) => {
        const more = whole && seat === trick.taker ? "took" : "";
        const placed = put(make("span", "played", face(name, more, star ? ", by the stand-in" : "")), seat, "near");
        placed.style.rotate = `${((seat * 5 + index * 3) % 9) - 4}deg`;
        if (star) placed.append(make("b", "star", "*"));
        return placed;
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
        const taken = heart ? `, with the Papayoo ${papayoo}` : "", where = `Round ${from + round}, trick ${index}: `, href = `${prefix}r${from + round}t${index}`;
        const stars = played.flatMap(({ seat, name, star }) => (star ? [{
          x, y: 0, kind: "fault", seat, text: "*", href: `${href}s${seat}`, label: `${where}the stand-in plays ${name} for ${seats[seat].name}`,
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
      const done = step - 2, card = () => `t${Math.floor(done / size)}s${rounds[at].plays[done].seat}`;
      return `${prefix}r${at}${["", "p"][step] ?? card()}`;
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
      const [, round, pass, trick, seat] = /^#(?:m\d+)?r(\d+)(p|t(\d+)(?:s(\d+))?)?$/.exec(location.hash) || [];
      if (!rounds[round]) return show();
      const first = rounds[round].tricks[trick]?.first, turn = seat === undefined ? size - 1 : (size + Number(seat) - first) % size;
      stop(set)(Number(round), trick ? 2 + Number(trick) * size + turn : pass ? 1 : 0);
      if (trick || pass || !alone) reveal(trick);
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
    onclick = ({ target }) => {
      if (target.closest("a")?.hash === location.hash) setTimeout(follow); // the hash does not change
    };
    rounds.forEach((round, at) => round.tricks.forEach(({ row }, index) => {
      row.onclick = () => {
        stop(go)(at, 1 + (index + 1) * size);
        box.focus({ preventScroll: true });
        reveal();
      };
    }));
    followed = follow;
    play();
    follow();
  };

  let followed = () => {};
  onhashchange = () => {
    const { hash } = location;
    if (alone || hash.startsWith(`${prefix}r`)) followed();
    else if (/^#m\d/.test(hash)) location.reload();
    else if (digits) history.replaceState(null, "", prefix + hash.slice(1)); // a part of the page: it still names the match
  };
  if (alone) {
    const data = JSON.parse(alone.textContent), [id] = Object.keys(data.matches);
    fill(data, Number(id));
  } else if (digits > 0 && Number(digits) <= newest) {
    document.addEventListener("arena:swapped", load);
    load();
  }
})();

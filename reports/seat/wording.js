"use strict";
// What the page of a person's seat says, in sentences. Each function is told the state that the server has sent;
// none changes anything. seat.js, which is loaded after it, decides when something is said.
const wording = (() => {
  const suits = { S: _`spades`, H: _`hearts`, D: _`diamonds`, C: _`clubs`, P: _`Payoo` };
  const reasons = {
    crashed: _`has crashed`, start_failed: _`did not start`, flood: _`wrote too much`,
    resource: _`used too much memory or processor time`, max_faults: _`has committed too many faults`, silent: _`does not answer any more`,
  };
  const suit = name => suits[name[0]];
  const who = ({ seat: own, names }, seat) => (seat === own ? _`You` : names[seat]);
  const beside = ({ seat, names }, by) => names.at((seat + by) % names.length);
  const listed = names => (names.length > 1 ? _`${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join(""));
  const points = count => (count === 1 ? _`1 point` : _`${count} points`);
  const words = (name, papayoo) => (name === papayoo ? _`the Papayoo, ${suit(name)} 7` : _`${suit(name)} ${name.slice(1)}`);

  const deals = (state, round, dealer) => (dealer === state.seat ? _`Round ${round}: you deal.` : _`Round ${round}: ${state.names[dealer]} deals.`);
  const plays = (state, seat, name, papayoo, byStandIn) => {
    const card = words(name, papayoo);
    return byStandIn ? _`${who(state, seat)}: ${card}, chosen by the stand-in.` : _`${who(state, seat)}: ${card}.`;
  };
  const takes = (state, seat, count) => {
    const name = state.names[seat];
    if (!count) return seat === state.seat ? _`You take the trick, without points.` : _`${name} takes the trick, without points.`;
    return seat === state.seat ? _`You take ${points(count)}.` : _`${name} takes ${points(count)}.`;
  };
  const exchanged = (state, papayoo) => {
    const passed = state.passed.join(" "), received = state.received.join(" "), left = beside(state, 1), right = beside(state, -1);
    return _`You passed ${passed} to ${left}, and got ${received} from ${right}. The Papayoo is ${suit(papayoo)} 7.`;
  };
  const noted = (state, { what, seat, why }) => {
    const name = who(state, seat), own = seat === state.seat;
    if (what === "replaced") return _`${name} ${reasons[why]}: the stand-in plays its cards to the end of the match.`;
    if (what === "away") return own ? _`You were away too long: the stand-in plays your cards to the end of the match.` : _`${name} was away too long: the stand-in plays on.`;
    return own ? _`You were late too often: the stand-in plays your cards to the end of the match.` : _`${name} was late too often: the stand-in plays on.`;
  };

  const waits = state => {
    const others = state.thinking.filter(seat => seat !== state.seat).map(seat => state.names[seat]);
    return others.length > 1 ? _`${listed(others)} are thinking.` : others.length ? _`${others[0]} is thinking.` : "";
  };
  // What is asked of the person, or who is waited for. `led`: the first card of the trick, "" for none; `picked`:
  // the cards that are chosen and not sent.
  const asked = (state, mine, led, picked, papayoo) => {
    if (state.result) return _`The match is over.`;
    if (!state.played.length) {
      const missing = state.away.map(seat => who(state, seat));
      return missing.length ? _`Waiting for ${listed(missing)}.` : _`The match begins.`;
    }
    if (state.bye) return _`The stand-in plays your cards. ${waits(state)}`;
    if (mine && state.stage === "passing") return _`Choose ${state.count} cards for ${beside(state, 1)}.`;
    if (mine && picked.length) return _`Press ${words(picked[0], papayoo)} once more to play it.`;
    if (mine && !led) return _`You lead: play any card.`;
    if (mine) return state.legal[0][0] === led[0] ? _`Your turn: follow ${suit(led)}.` : _`Your turn: you have no ${suit(led)}, so play any card.`;
    if (state.stage === "passing" && state.passed.length) return _`You pass ${state.passed.join(" ")} to ${beside(state, 1)}. ${waits(state)}`;
    return waits(state);
  };
  const follow = led => _`You must follow suit: ${suit(led)}.`;
  const passButton = (state, picked) => _`Pass to ${beside(state, 1)} (${picked.length} of ${state.count})`;
  const seconds = left => _` ${left} s`;
  const outcome = state => {
    const best = state.result.flatMap(({ place }, seat) => (place === 1 ? [seat] : []));
    if (best.length > 1) return _`${listed(best.map(seat => who(state, seat)))} share the first place.`;
    return best[0] === state.seat ? _`You win.` : _`${state.names[best[0]]} wins.`;
  };
  // `said`: "asking", or why it cannot be had.
  const review = said => (said === "asking" ? _`Redeal is asked about each of your decisions, and what the difference costs is tried in many deals. That takes a minute or two.` : said);
  return { review, who, points, words, deals, plays, takes, exchanged, noted, asked, follow, passButton, seconds, outcome };
})();

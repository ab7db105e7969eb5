"use strict";
// What the page of a person's seat says, in sentences. Each function is told the state that the server has sent;
// none changes anything. seat.js, which is loaded after it, decides when something is said.
const wording = (() => {
  const suits = { S: "spades", H: "hearts", D: "diamonds", C: "clubs", P: "Payoo" };
  const reasons = {
    crashed: "has crashed", start_failed: "did not start", flood: "wrote too much",
    resource: "used too much memory or processor time", max_faults: "has committed too many faults", silent: "does not answer any more",
  };
  const suit = name => suits[name[0]];
  const who = ({ seat: own, names }, seat) => (seat === own ? "You" : names[seat]);
  const beside = ({ seat, names }, by) => names.at((seat + by) % names.length);
  const listed = names => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join(""));
  const points = count => (count === 1 ? "1 point" : `${count} points`);
  const words = (name, papayoo) => (name === papayoo ? `the Papayoo, ${suit(name)} 7` : `${suit(name)} ${name.slice(1)}`);

  const deals = (state, round, dealer) => (dealer === state.seat ? `Round ${round}: you deal.` : `Round ${round}: ${state.names[dealer]} deals.`);
  const plays = (state, seat, name, papayoo, byStandIn) => {
    const card = words(name, papayoo);
    return byStandIn ? `${who(state, seat)}: ${card}, chosen by the stand-in.` : `${who(state, seat)}: ${card}.`;
  };
  const takes = (state, seat, count) => {
    const name = state.names[seat];
    if (!count) return seat === state.seat ? "You take the trick, without points." : `${name} takes the trick, without points.`;
    return seat === state.seat ? `You take ${points(count)}.` : `${name} takes ${points(count)}.`;
  };
  const exchanged = (state, papayoo) => {
    const passed = state.passed.join(" "), received = state.received.join(" "), left = beside(state, 1), right = beside(state, -1);
    return `You passed ${passed} to ${left}, and got ${received} from ${right}. The Papayoo is ${suit(papayoo)} 7.`;
  };
  const noted = (state, { what, seat, why }) => {
    const name = who(state, seat), own = seat === state.seat;
    if (what === "replaced") return `${name} ${reasons[why]}: the stand-in plays its cards to the end of the match.`;
    if (what === "away") return own ? "You were away too long: the stand-in plays your cards to the end of the match." : `${name} was away too long: the stand-in plays on.`;
    return own ? "You were late too often: the stand-in plays your cards to the end of the match." : `${name} was late too often: the stand-in plays on.`;
  };

  const waits = state => {
    const others = state.thinking.filter(seat => seat !== state.seat).map(seat => state.names[seat]);
    return others.length > 1 ? `${listed(others)} are thinking.` : others.length ? `${others[0]} is thinking.` : "";
  };
  // What is asked of the person, or who is waited for. `led`: the first card of the trick, "" for none; `picked`:
  // the cards that are chosen and not sent.
  const asked = (state, mine, led, picked, papayoo) => {
    if (state.result) return "The match is over.";
    if (!state.played.length) {
      const missing = state.away.map(seat => who(state, seat));
      return missing.length ? `Waiting for ${listed(missing)}.` : "The match begins.";
    }
    if (state.bye) return `The stand-in plays your cards. ${waits(state)}`;
    if (mine && state.stage === "passing") return `Choose ${state.count} cards for ${beside(state, 1)}.`;
    if (mine && picked.length) return `Press ${words(picked[0], papayoo)} once more to play it.`;
    if (mine && !led) return "You lead: play any card.";
    if (mine) return state.legal[0][0] === led[0] ? `Your turn: follow ${suit(led)}.` : `Your turn: you have no ${suit(led)}, so play any card.`;
    if (state.stage === "passing" && state.passed.length) return `You pass ${state.passed.join(" ")} to ${beside(state, 1)}. ${waits(state)}`;
    return waits(state);
  };
  const follow = led => `You must follow suit: ${suit(led)}.`;
  const passButton = (state, picked) => `Pass to ${beside(state, 1)} (${picked.length} of ${state.count})`;
  const seconds = left => ` ${left} s`;
  const outcome = state => {
    const best = state.result.flatMap(({ place }, seat) => (place === 1 ? [seat] : []));
    if (best.length > 1) return `${listed(best.map(seat => who(state, seat)))} share the first place.`;
    return best[0] === state.seat ? "You win." : `${state.names[best[0]]} wins.`;
  };
  // `said`: "asking", or why it cannot be had.
  const review = said => (said === "trying" ? "Each of your decisions is tried in many deals, beside every other choice. That takes a minute or two." : said);
  return { review, who, points, words, deals, plays, takes, exchanged, noted, asked, follow, passButton, seconds, outcome };
})();

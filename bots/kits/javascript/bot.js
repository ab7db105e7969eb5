// @NAME@, a bot for Papayoo. The two functions are yours to change; papayoo.js does the talking.
//
// Cards are texts: "S7" is the seven of spades, "P20" the Payoo 20. The suits are S, H, D, C (ranks 1 to 10)
// and P (1 to 20). A Payoo costs its rank, the 7 of the suit that the die shows 40, and the fewest points win.
//
// Both functions are given a question, an object, which holds all that is needed to answer it:
//
//     players, seat   how many seats the table has, and yours; they are numbered clockwise from 0
//     hand            your cards, sorted by suit and rank
//     round, dealer   the round, counted from 0, and the seat that deals and leads to the first trick
//     scores          card points of the earlier rounds, by seat
//     events          what happened since you were last told something, such as
//                     {event: "played", seat: 2, card: "S7"}: passed, received, die, played, taken
//     table, move_ms, bank_ms, id     which table, and the time you have in milliseconds
//
// What you write with console.log goes to standard error, which is kept for you.
"use strict";

const { rank, run, winner } = require("./papayoo.js");

const byRank = (one, other) => rank(one) - rank(other); // sort keeps the order of equals

/** The cards to pass to the left neighbour (seat + 1): exactly question.count of the hand. */
function choosePass(question) {
  return [...question.hand].sort(byRank).slice(-question.count); // the highest ones
}

/**
 * The card to play: one of question.legal. A question to play has besides:
 *
 *     trick               the cards of this trick so far, the leader's first; empty if you lead
 *     leader, trick_number
 *     papayoo_suit        "S", "H", "D" or "C": the 7 of it costs 40, see points() in papayoo.js
 *     received, passed    the cards of this round's pass
 *     points              card points of this round so far, by seat
 */
function chooseCard(question) {
  const { legal, trick } = question;
  if (trick.length > 0) {
    const best = winner(trick);
    const below = legal.filter((card) => card[0] === best[0] && rank(card) < rank(best));
    if (below.length > 0) return below.sort(byRank).at(-1); // the highest that does not take the trick
  }
  return [...legal].sort(byRank)[0];
}

run("@NAME@", choosePass, chooseCard);

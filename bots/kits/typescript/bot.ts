// @NAME@, a bot for Papayoo. The two functions are yours to change; papayoo.ts does the talking.
//
// Cards are texts: "S7" is the seven of spades, "P20" the Payoo 20. The suits are S, H, D, C (ranks 1 to 10)
// and P (1 to 20). A Payoo costs its rank, the 7 of the suit that the die shows 40, and the fewest points win.
//
// Each question holds all that is needed to answer it; PassQuestion and PlayQuestion in papayoo.ts say what. What
// you write with console.log goes to standard error, which is kept for you.

import { Card, PassQuestion, PlayQuestion, rank, run, winner } from "./papayoo";

const byRank = (one: Card, other: Card): number => rank(one) - rank(other); // sort keeps the order of equals

/** The cards to pass to the left neighbour (seat + 1): exactly question.count of question.hand. */
function choosePass(question: PassQuestion): Card[] {
  return [...question.hand].sort(byRank).slice(-question.count); // the highest ones
}

/** The card to play: one of question.legal. question.trick is empty if you lead. */
function chooseCard(question: PlayQuestion): Card {
  const { legal, trick } = question;
  if (trick.length > 0) {
    const best = winner(trick);
    const below = legal.filter((card) => card[0] === best[0] && rank(card) < rank(best)).sort(byRank);
    if (below.length > 0) return below[below.length - 1]; // the highest that does not take the trick
  }
  return [...legal].sort(byRank)[0];
}

run("@NAME@", choosePass, chooseCard);

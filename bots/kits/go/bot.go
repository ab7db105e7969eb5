// @NAME@, a Papayoo bot. Change ChoosePass and ChooseCard; papayoo.go does the talking.
package main

import "sort"

// Mine holds what the bot remembers. Forget it when a match begins: see Listener.
type Mine struct{}

// ChoosePass passes on the highest cards.
func (*Mine) ChoosePass(question *Question) []Card {
	cards := append([]Card{}, question.Hand...)
	sort.SliceStable(cards, func(i, j int) bool { return cards[i].Rank < cards[j].Rank })
	return cards[len(cards)-question.Count:]
}

// ChooseCard plays the highest card below the one that is winning the trick; where there is none, the lowest.
func (*Mine) ChooseCard(question *Question) Card {
	lowest, under := question.Legal[0], Card{}
	for _, card := range question.Legal {
		if card.Rank < lowest.Rank {
			lowest = card
		}
		if len(question.Trick) > 0 && Winner(question.Trick).Beats(card) && card.Rank > under.Rank {
			under = card
		}
	}
	if under.Rank > 0 {
		return under
	}
	return lowest
}

func main() {
	Run("@NAME@", "1", &Mine{})
}

import java.util.ArrayList;
import java.util.List;

/** @NAME@, a Papayoo bot. Change choosePass and chooseCard; Papayoo.java does the talking. */
public final class Bot implements Papayoo.Player {
    // What the bot remembers goes in here. Forget it when a match begins: see Papayoo.Player.news.

    /** The cards for the left neighbour: the highest. */
    @Override
    public List<Papayoo.Card> choosePass(Papayoo.Question question) {
        List<Papayoo.Card> cards = new ArrayList<>(question.hand);
        cards.sort(Papayoo.BY_RANK);
        return cards.subList(cards.size() - question.count, cards.size());
    }

    /** The highest card below the one that is winning the trick; where there is none, the lowest. */
    @Override
    public Papayoo.Card chooseCard(Papayoo.Question question) {
        Papayoo.Card best = Papayoo.winner(question.trick);
        Papayoo.Card under = null;
        Papayoo.Card lowest = question.legal.get(0);
        for (Papayoo.Card card : question.legal) {
            if (card.rank() < lowest.rank()) lowest = card;
            boolean stays = best != null && best.beats(card);
            if (stays && (under == null || card.rank() > under.rank())) under = card;
        }
        return under != null ? under : lowest;
    }

    public static void main(String[] arguments) throws Exception {
        Papayoo.run("@NAME@", "1", new Bot());
    }
}

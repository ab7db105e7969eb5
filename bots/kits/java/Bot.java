import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** @NAME@, a Papayoo bot. Change choosePass and chooseCard; Papayoo.java does the talking. */
public final class Bot implements Papayoo.Player {
    // What the bot remembers goes in here. Forget it when a match begins: see Papayoo.Player.news.

    private static final Comparator<Papayoo.Card> BY_RANK = Comparator.comparing(Papayoo.Card::rank);

    /** Passes on the highest cards. */
    @Override
    public List<Papayoo.Card> choosePass(Papayoo.Question question) {
        List<Papayoo.Card> cards = new ArrayList<>(question.hand);
        cards.sort(BY_RANK);
        return cards.subList(cards.size() - question.count, cards.size());
    }

    /** The highest card below the one that is winning the trick; where there is none, the lowest. */
    @Override
    public Papayoo.Card chooseCard(Papayoo.Question question) {
        Optional<Papayoo.Card> under = Papayoo.winner(question.trick)
            .flatMap(best -> question.legal.stream().filter(best::beats).max(BY_RANK));
        return under.orElseGet(() -> question.legal.stream().min(BY_RANK).orElseThrow());
    }

    public static void main(String[] arguments) throws Exception {
        Papayoo.run("@NAME@", "1", new Bot());
    }
}

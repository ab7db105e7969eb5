// @NAME@, a Papayoo bot. Change ChoosePass and ChooseCard; Papayoo.cs does the talking.
using System.Collections.Generic;
using System.Linq;
using Papayoo;

public sealed class Bot : Player
{
    // What the bot remembers goes in here. Forget it when a match begins: see Player.News.

    /// <summary>The cards for the left neighbour: the highest.</summary>
    public override IEnumerable<Card> ChoosePass(Question question)
    {
        return question.Hand.OrderBy(card => card.Rank).Skip(question.Hand.Count - question.Count);
    }

    /// <summary>The highest card below the one that is winning the trick; where there is none, the lowest.</summary>
    public override Card ChooseCard(Question question)
    {
        var legal = question.Legal.OrderBy(card => card.Rank).ToList();
        var under = legal.FindLastIndex(card => Cards.Winner(question.Trick)?.Beats(card) ?? false);
        return legal[under < 0 ? 0 : under];
    }

    public static int Main()
    {
        return Arena.Run("@NAME@", "1", new Bot());
    }
}

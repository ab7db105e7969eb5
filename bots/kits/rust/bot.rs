//! @NAME@, a Papayoo bot. Change choose_pass and choose_card; papayoo.rs does the talking.

mod papayoo;

use papayoo::{winner, Bot, Card, Question};

/// What the bot remembers goes in here. Forget it when a match begins: `Bot::news` tells you.
struct Mine;

impl Bot for Mine {
    /// Passes on the highest cards.
    fn choose_pass(&mut self, question: &Question) -> Vec<Card> {
        let mut cards = question.hand.clone();
        cards.sort_by_key(|card| card.rank);
        cards.split_off(cards.len() - question.count)
    }

    /// The highest card below the one that is winning the trick; where there is none, the lowest.
    fn choose_card(&mut self, question: &Question) -> Card {
        let legal = question.legal.iter().copied();
        let lowest = legal.clone().min_by_key(|card| card.rank);
        let under = winner(&question.trick).and_then(|best| {
            let under = legal.filter(|card| best.beats(*card));
            under.max_by_key(|card| card.rank)
        });
        under.or(lowest).expect("there is always a legal card")
    }
}

fn main() {
    papayoo::run("@NAME@", "1", &mut Mine);
}

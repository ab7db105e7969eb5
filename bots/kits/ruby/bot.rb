# frozen_string_literal: true

# @NAME@, a Papayoo bot. Change choose_pass and choose_card; papayoo.rb does the talking.
require_relative "papayoo"

# What the bot remembers goes into instance variables. Forget it in `start`, when a match begins.
class Bot
  # The cards for the left neighbour: the highest.
  def choose_pass(question)
    question["hand"].sort_by.with_index { |card, i| [Papayoo.rank(card), i] }.last(question["count"])
  end

  # The highest card below the one that is winning the trick; where there is none, the lowest.
  def choose_card(question)
    best = Papayoo.winner(question["trick"])
    under = question["legal"].select { |card| best && Papayoo.beats?(best, card) }
    under.max_by { |card| Papayoo.rank(card) } || question["legal"].min_by { |card| Papayoo.rank(card) }
  end
end

Papayoo.run("@NAME@", Bot.new)

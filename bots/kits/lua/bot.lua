-- @NAME@, a Papayoo bot. Change choose_pass and choose_card; papayoo.lua does the talking.
local papayoo = require("papayoo")

local bot = {} -- what the bot remembers goes in here, too; forget it in bot.start, when a match begins

--- The cards for the left neighbour: the highest.
function bot.choose_pass(question)
  local cards = papayoo.by_rank(question.hand)
  return table.move(cards, #cards - question.count + 1, #cards, 1, {})
end

--- The highest card below the one that is winning the trick; where there is none, the lowest.
function bot.choose_card(question)
  local best = papayoo.winner(question.trick)
  local legal = papayoo.by_rank(question.legal)
  for i = #legal, 1, -1 do
    if best and papayoo.beats(best, legal[i]) then return legal[i] end
  end
  return legal[1]
end

papayoo.run("@NAME@", bot)

-- Everything a Lua bot needs to talk to the arena, in one file, for Lua 5.4 without rocks.
--
-- Write two functions and hand them to run:
--
--     local papayoo = require("papayoo")
--     local bot = {}
--
--     function bot.choose_pass(question) -- give away question.count cards of your hand
--       return table.move(question.hand, 1, question.count, 1, {})
--     end
--
--     function bot.choose_card(question) return question.legal[1] end -- play one of the legal cards
--
--     papayoo.run("My bot", bot)
--
-- Functions bot.start, bot.round_over and bot.match_over, where there are any, are told the news of that name.
--
-- A question is a table. Lists of numbers have one for each seat, that of seat 0 at [1], as Lua counts;
-- seats, rounds and tricks count from 0.
--
--     both         table round dealer
--                  players          how many seats the table has
--                  seat             yours; seat + 1 is the left neighbour, who gets your pass and plays after you
--                  hand             sorted S, H, D, C, P and by rank
--                  scores           card points of the earlier rounds
--                  move_ms bank_ms  the time for this answer, and what is left for the match beyond that
--                  events           since the last message, tables with event, seat, and card or cards; event is
--                                   passed, received, die (its card is the Papayoo), played or taken
--     choose_pass  count
--     choose_card  trick_number leader
--                  papayoo_suit     S, H, D or C
--                  legal
--                  trick            in play order, the leader's first; empty if you lead
--                  received passed
--                  points           taken in this round so far
--
-- Cards are texts: S7 is the seven of spades, P20 the Payoo 20. How to play well is not the business of this file.
local papayoo = {}

-- ---------------------------------------------------------------------------- cards

function papayoo.suit(card) return card:sub(1, 1) end

function papayoo.rank(card) return tonumber(card:sub(2)) end

--- What a card costs its taker: a Payoo its rank, the 7 of that suit 40, any other 0.
function papayoo.points(card, papayoo_suit)
  if papayoo.suit(card) == "P" then return papayoo.rank(card) end
  return card == papayoo_suit .. "7" and 40 or 0
end

--- Whether a card takes the trick from another, which was winning it.
function papayoo.beats(card, other)
  return papayoo.suit(card) == papayoo.suit(other) and papayoo.rank(card) > papayoo.rank(other)
end

--- The card that takes a trick: the highest of the suit that was led. nil if no card lies there.
function papayoo.winner(trick)
  local best = trick[1]
  for _, card in ipairs(trick) do
    if papayoo.beats(card, best) then best = card end
  end
  return best
end

--- A copy of the cards from the lowest rank to the highest; equals keep their order, unlike with table.sort.
function papayoo.by_rank(cards)
  local sorted = {}
  for rank = 1, 20 do
    for _, card in ipairs(cards) do
      if papayoo.rank(card) == rank then sorted[#sorted + 1] = card end
    end
  end
  return sorted
end

-- ---------------------------------------------------------------------------- the wire
-- One message is one line: base64(msgpack map) "\n". Of msgpack the protocol uses nil, bool, int,
-- str, array and map. A number or a length that does not fit into the first byte follows it.

local MAX_INT <const> = 2 ^ 53 - 1 | 0
local MAX_DEPTH <const>, MAX_ITEMS <const>, MAX_KEYS <const> = 8, 1024, 64

papayoo.null = setmetatable({}, { __tostring = function() return "null" end }) -- nil, in a list or map
local list_mark = {} -- the metatable of lists, which tells an empty one from an empty map

local DIGITS <const> = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local VALUES = {}
for i = 1, 64 do VALUES[DIGITS:byte(i)] = i - 1 end

local function refuse(why) error(why, 0) end

local function from_base64(text)
  if #text % 4 ~= 0 or not text:find("^[%w+/]*=?=?$") then refuse("the line is not base64") end
  local bytes = {}
  for a, b, c, d in text:gmatch("(.)(.)(.)(.)") do
    local bits = VALUES[a:byte()] << 18 | VALUES[b:byte()] << 12
      | (VALUES[c:byte()] or 0) << 6 | (VALUES[d:byte()] or 0)
    bytes[#bytes + 1] = string.pack(">I3", bits):sub(1, d ~= "=" and 3 or c ~= "=" and 2 or 1)
  end
  return table.concat(bytes)
end

local function to_base64(data)
  local text = data:gsub("..?.?", function(three)
    local bits = string.unpack(">I3", three .. ("\0"):rep(3 - #three))
    local four = ""
    for shift = 18, 0, -6 do
      local digit = (bits >> shift & 63) + 1
      four = four .. DIGITS:sub(digit, digit)
    end
    return four:sub(1, #three + 1) .. ("="):rep(3 - #three)
  end)
  return text
end

local INTS <const> = {
  [0xcc] = ">I1", [0xcd] = ">I2", [0xce] = ">I4", [0xcf] = ">I8",
  [0xd0] = ">i1", [0xd1] = ">i2", [0xd2] = ">i4", [0xd3] = ">i8",
}
local SIZES <const> = {
  [0xd9] = ">I1", [0xda] = ">I2", [0xdb] = ">I4", [0xdc] = ">I2", [0xdd] = ">I4", [0xde] = ">I2", [0xdf] = ">I4",
}

--- Takes values off msgpack bytes, one after the other.
local Reader = {}
Reader.__index = Reader

function Reader:take(size)
  if size > #self.data - self.at + 1 then refuse("the message ends too early") end
  self.at = self.at + size
  return self.data:sub(self.at - size, self.at - 1)
end

function Reader:number(form) return (form:unpack(self:take(form:packsize()))) end

--- The next value. `depth` is how deep it would be as a list or map; a message is 1.
function Reader:value(depth)
  local kind = self:number(">I1")
  if kind < 0x80 then return kind end
  if kind < 0x90 then return self:map(kind - 0x80, depth) end
  if kind < 0xa0 then return self:list(kind - 0x90, depth) end
  if kind < 0xc0 then return self:text(kind - 0xa0) end
  if kind == 0xc0 then return papayoo.null end
  if kind == 0xc2 or kind == 0xc3 then return kind == 0xc3 end
  if kind >= 0xe0 then return kind - 0x100 end
  if INTS[kind] then return self:int(kind) end
  if not SIZES[kind] then refuse(("msgpack type 0x%02x is not part of the protocol"):format(kind)) end
  local size = self:number(SIZES[kind])
  if kind <= 0xdb then return self:text(size) end
  if kind <= 0xdd then return self:list(size, depth) end
  return self:map(size, depth)
end

function Reader:int(kind)
  local number = self:number(INTS[kind])
  local wrapped = kind == 0xcf and number < 0 -- Lua's integers have a sign
  if wrapped or number > MAX_INT or number < -MAX_INT then refuse("an integer is 2^53 or more in size") end
  return number
end

function Reader:text(size)
  local text = self:take(size)
  if not utf8.len(text) then refuse("a text is not UTF-8") end
  return text
end

function Reader:list(size, depth)
  if size > MAX_ITEMS or depth > MAX_DEPTH then refuse("a list is too long, or nested too deep") end
  local list = setmetatable({}, list_mark)
  for i = 1, size do list[i] = self:value(depth + 1) end
  return list
end

function Reader:map(size, depth)
  if size > MAX_KEYS or depth > MAX_DEPTH then refuse("a map is too large, or nested too deep") end
  local map = {}
  for _ = 1, size do
    local key = self:value(depth + 1)
    if type(key) ~= "string" or map[key] ~= nil then refuse("a key is no text, or comes twice") end
    map[key] = self:value(depth + 1)
  end
  return map
end

--- The message in a line, with or without its end. An error for whatever protocol 1 refuses.
function papayoo.decode(line)
  local data = from_base64((line:gsub("\n$", ""):gsub("\r$", "")))
  local reader = setmetatable({ data = data, at = 1 }, Reader)
  local message = reader:value(1)
  local is_map = type(message) == "table" and message ~= papayoo.null and getmetatable(message) ~= list_mark
  if not is_map or reader.at <= #data then refuse("a message is exactly one map") end
  return message
end

--- A size in the first byte if it is below `limit`, else in 2 or 4 bytes after it.
local function pack_size(size, first, limit, kind)
  if size < limit then return string.char(first + size) end
  if size <= 0xffff then return string.pack(">I1I2", kind, size) end
  return string.pack(">I1I4", kind + 1, size)
end

local function pack_int(number)
  if number >= -32 and number < 0x80 then return string.char(number & 0xff) end
  local bits = number < 0 and 2 * ~number or number -- with room for the sign
  local width = bits <= 0xff and 0 or bits <= 0xffff and 1 or bits <= 0xffffffff and 2 or 3
  local kind = (number < 0 and 0xd0 or 0xcc) + width
  return string.char(kind) .. INTS[kind]:pack(number)
end

local function pack_text(text)
  if #text >= 32 and #text < 256 then return "\xd9" .. string.char(#text) .. text end
  return pack_size(#text, 0xa0, 32, 0xda) .. text
end

local pack_table

local function pack(value)
  local kind = math.type(value) or type(value)
  if kind == "string" then return pack_text(value) end
  if kind == "integer" then return pack_int(value) end
  if kind == "boolean" then return value and "\xc3" or "\xc2" end
  if value == papayoo.null then return "\xc0" end
  if kind == "table" then return pack_table(value) end
  error("a message cannot hold a " .. kind)
end

--- A list or a map; `keys` are those of a map, in the order in which they are to stand.
function pack_table(value, keys)
  local parts = { "" }
  if getmetatable(value) == list_mark then
    for _, item in ipairs(value) do parts[#parts + 1] = pack(item) end
    parts[1] = pack_size(#value, 0x90, 16, 0xdc)
    return table.concat(parts)
  end
  if not keys then
    keys = {}
    for key in pairs(value) do keys[#keys + 1] = key end
  end
  for _, key in ipairs(keys) do parts[#parts + 1] = pack_text(key) .. pack(value[key]) end
  parts[1] = pack_size(#keys, 0x80, 16, 0xde)
  return table.concat(parts)
end

--- The line that carries a message, newline included; with `keys`, those keys in that order.
function papayoo.encode(message, keys) return to_base64(pack_table(message, keys)) .. "\n" end

-- ---------------------------------------------------------------------------- the conversation

local NEWS <const> = { start = true, round_over = true, match_over = true }

--- The answer to a message with its keys in order, nil if it needs none.
local function answer(message, name, bot)
  local kind, id = message.type, message.id
  if kind == "hello" then
    local ready = { type = "ready", id = id, name = name, version = "1", language = "Lua" }
    return ready, { "type", "id", "name", "version", "language" }
  elseif kind == "pass" then
    local cards = setmetatable(bot.choose_pass(message), list_mark)
    return { type = "cards", id = id, cards = cards }, { "type", "id", "cards" }
  elseif kind == "play" then
    return { type = "card", id = id, card = bot.choose_card(message) }, { "type", "id", "card" }
  elseif NEWS[kind] and bot[kind] then
    bot[kind](message)
  end
end

--- Talk to the arena until it says bye or closes the pipe.
--
-- Standard output belongs to the arena: what the bot prints goes to standard error, which is kept for you.
function papayoo.run(name, bot)
  local out = io.output()
  io.output(io.stderr)
  print = function(...) -- luacheck: ignore
    local texts = table.pack(...)
    for i = 1, texts.n do texts[i] = tostring(texts[i]) end
    io.stderr:write(table.concat(texts, "\t"), "\n")
  end
  for line in io.stdin:lines("L") do
    local message = papayoo.decode(line)
    if message.type == "bye" then return end
    local reply, keys = answer(message, name, bot)
    if reply then
      out:write(papayoo.encode(reply, keys))
      out:flush()
    end
  end
end

return papayoo

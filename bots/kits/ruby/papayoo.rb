# frozen_string_literal: true

# Everything a Ruby bot needs to talk to the arena, in one file, without gems.
#
# Write a class with two methods, and hand an object of it to Papayoo.run:
#
#     class Bot
#       def choose_pass(question) = question["hand"].first(question["count"]) # cards to give away
#       def choose_card(question) = question["legal"].first                   # a legal card
#     end
#
#     Papayoo.run("My bot", Bot.new)
#
# Methods `start`, `round_over` and `match_over`, where there are any, are told the news of that name.
#
# A question is a hash. Lists of numbers have one for each seat; seats, rounds and tricks count from 0.
#
#     both         table round dealer
#                  players          how many seats the table has
#                  seat             yours; seat + 1 is the left neighbour, who gets your pass and plays after you
#                  hand             sorted S, H, D, C, P and by rank
#                  scores           card points of the earlier rounds
#                  move_ms bank_ms  the time for this answer, and what is left for the match beyond that
#                  events           since the last message, hashes with event, seat, and card or cards; event is
#                                   passed, received, die (its card is the Papayoo), played or taken
#     choose_pass  count
#     choose_card  trick_number leader
#                  papayoo_suit     S, H, D or C
#                  legal
#                  trick            in play order, the leader's first; empty if you lead
#                  received passed
#                  points           taken in this round so far
#
# Cards are texts: S7 is the seven of spades, P20 the Payoo 20. How to play well is not the business of this file.
module Papayoo
  class Refused < StandardError; end

  module_function

  # -------------------------------------------------------------------------- cards

  def suit(card) = card[0]

  def rank(card) = card[1..].to_i

  # What a card costs its taker: a Payoo its rank, the 7 of that suit 40, any other 0.
  def points(card, papayoo_suit)
    return rank(card) if suit(card) == "P"

    card == "#{papayoo_suit}7" ? 40 : 0
  end

  # Whether a card takes the trick from another, which was winning it.
  def beats?(card, other) = suit(card) == suit(other) && rank(card) > rank(other)

  # The card that takes a trick: the highest of the suit that was led. nil if no card lies there.
  def winner(trick) = trick.reduce { |best, card| beats?(card, best) ? card : best }

  # -------------------------------------------------------------------------- the conversation

  # Talk to the arena until it says bye or closes the pipe.
  #
  # Standard output belongs to the arena: `puts` and `p` of a bot go to standard error, which is kept for you.
  def run(name, bot, version: "1")
    out = $stdout.dup
    $stdout = $stderr
    about = { "name" => name, "version" => version, "language" => "Ruby" }
    $stdin.binmode.each_line do |line|
      message = decode(line)
      break if message["type"] == "bye"

      answer = answer(message, bot, about) or next
      out.write(encode(answer))
      out.flush
    end
  end

  # The answer to a message, nil if it needs none.
  def answer(message, bot, about)
    id = { "id" => message["id"] }
    case kind = message["type"]
    when "hello" then { "type" => "ready", **id, **about }
    when "pass" then { "type" => "cards", **id, "cards" => bot.choose_pass(message) }
    when "play" then { "type" => "card", **id, "card" => bot.choose_card(message) }
    when "start", "round_over", "match_over"
      bot.public_send(kind, message) if bot.respond_to?(kind)
      nil
    end
  end

  # -------------------------------------------------------------------------- the wire
  # One message is one line: base64(msgpack map) "\n". Of msgpack the protocol uses nil, bool, int,
  # str, array and map. A number or a length that does not fit into the first byte follows it.

  # The message in a line, with or without its end. Raises Refused for whatever protocol 1 refuses.
  def decode(line)
    line = line.chomp.b
    unless (line.size % 4).zero? && line.match?(%r{\A[A-Za-z0-9+/]*={0,2}\z})
      raise Refused, "the line is not base64"
    end

    reader = Reader.new(line.unpack1("m"))
    message = reader.value(1)
    raise Refused, "a message is exactly one map" unless message.is_a?(Hash) && reader.done?

    message
  end

  # The line that carries a message, newline included; keys in the order of the hash.
  def encode(message) = "#{[pack(message)].pack('m0')}\n"

  # Takes values off msgpack bytes, one after the other.
  class Reader
    MAX_INT = 2**53 - 1
    MAX_DEPTH = 8
    MAX_ITEMS = 1024
    MAX_KEYS = 64
    INTS = {
      0xcc => "C", 0xcd => "S>", 0xce => "L>", 0xcf => "Q>", 0xd0 => "c", 0xd1 => "s>", 0xd2 => "l>", 0xd3 => "q>"
    }.freeze
    SIZES = { 0xd9 => "C", 0xda => "S>", 0xdb => "L>", 0xdc => "S>", 0xdd => "L>", 0xde => "S>", 0xdf => "L>" }.freeze
    BYTES = { "C" => 1, "c" => 1, "S>" => 2, "s>" => 2, "L>" => 4, "l>" => 4, "Q>" => 8, "q>" => 8 }.freeze

    def initialize(data)
      @data = data
      @at = 0
    end

    def done? = @at == @data.bytesize

    # The next value. `depth` is how deep it would be as a list or map; a message is 1.
    def value(depth)
      case kind = number("C")
      when 0x00..0x7f then kind
      when 0x80..0x8f then map(kind - 0x80, depth)
      when 0x90..0x9f then list(kind - 0x90, depth)
      when 0xa0..0xbf then text(kind - 0xa0)
      when 0xc0 then nil
      when 0xc2 then false
      when 0xc3 then true
      when 0xcc..0xd3 then int(INTS[kind])
      when 0xd9..0xdb then text(number(SIZES[kind]))
      when 0xdc, 0xdd then list(number(SIZES[kind]), depth)
      when 0xde, 0xdf then map(number(SIZES[kind]), depth)
      when 0xe0..0xff then kind - 0x100
      else raise Refused, format("msgpack type 0x%02x is not part of the protocol", kind)
      end
    end

    private

    def take(size)
      raise Refused, "the message ends too early" if size > @data.bytesize - @at

      @at += size
      @data.byteslice(@at - size, size)
    end

    def number(form) = take(BYTES[form]).unpack1(form)

    def int(form)
      number = number(form)
      raise Refused, "an integer is 2^53 or more in size" if number.abs > MAX_INT

      number
    end

    def text(size)
      text = take(size).force_encoding(Encoding::UTF_8)
      raise Refused, "a text is not UTF-8" unless text.valid_encoding?

      text
    end

    def list(size, depth)
      raise Refused, "a list is too long, or nested too deep" if size > MAX_ITEMS || depth > MAX_DEPTH

      Array.new(size) { value(depth + 1) }
    end

    def map(size, depth)
      raise Refused, "a map is too large, or nested too deep" if size > MAX_KEYS || depth > MAX_DEPTH

      size.times.with_object({}) do |_, pairs|
        key = value(depth + 1)
        raise Refused, "a key is no text, or comes twice" if !key.is_a?(String) || pairs.key?(key)

        pairs[key] = value(depth + 1)
      end
    end
  end

  def pack(value)
    case value
    when nil then "\xc0".b
    when false then "\xc2".b
    when true then "\xc3".b
    when Integer then pack_int(value)
    when String then pack_text(value.encode(Encoding::UTF_8).b)
    when Array then pack_size(value.size, 0x90, 16, 0xdc) + value.map { |item| pack(item) }.join
    when Hash then pack_size(value.size, 0x80, 16, 0xde) + value.flatten(1).map { |item| pack(item) }.join
    else raise TypeError, "a message cannot hold a #{value.class}"
    end
  end

  def pack_text(text)
    short = text.bytesize.between?(32, 255)
    (short ? [0xd9, text.bytesize].pack("CC") : pack_size(text.bytesize, 0xa0, 32, 0xda)) + text
  end

  # A size in the first byte if it is below `limit`, else in 2 or 4 bytes after it.
  def pack_size(size, first, limit, kind)
    return [first + size].pack("C") if size < limit

    size <= 0xffff ? [kind, size].pack("CS>") : [kind + 1, size].pack("CL>")
  end

  def pack_int(number)
    return [number & 0xff].pack("C") if number.between?(-32, 127)

    bits = number.bit_length + (number.negative? ? 1 : 0) # with room for the sign
    kind = (number.negative? ? 0xd0 : 0xcc) + [8, 16, 32, 64].index { |width| bits <= width }
    [kind, number].pack("C#{Reader::INTS[kind]}")
  end
end

// Talks to the arena, so that a bot need not: C++17 without libraries, and nothing to change here.
//
//     int main() { return papayoo::run("Mine", choose_pass, choose_card); }
//
// Question and Card are what a bot works with. The protocol is described in SPEC.md of the arena.
#pragma once

#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace papayoo {

// ---------------------------------------------------------------- what a bot sees

struct Card {
    char suit = 0;  // S, H, D, C or P
    int rank = 0;   // 1 to 10, of P 1 to 20
};

inline bool operator==(Card one, Card other) { return one.suit == other.suit && one.rank == other.rank; }
inline bool operator!=(Card one, Card other) { return !(one == other); }

using Cards = std::vector<Card>;

// What happened; `kind` is passed, received, die, played or taken.
struct Event {
    std::string kind;
    int seat;
    Cards cards;    // one for die (the Papayoo) and played
    bool stand_in;  // about your own seat: the referee chose for you after a fault
};

struct Question {
    int table = 0, players = 0, rounds = 0;
    std::uint32_t seed = 0;  // for your random numbers, so that your play can be repeated
    int seat = 0, round = 0, dealer = 0;
    Cards hand;
    int count = 0;  // to pass: how many; from here to `points` only one kind of question has each
    int trick_number = 0, leader = 0;
    char papayoo_suit = 0;  // S, H, D or C
    Cards legal, trick, received, passed;
    std::vector<int> points;  // card points of this round so far, by seat
    std::vector<int> scores;  // card points of the earlier rounds, by seat
    int move_ms = 0, bank_ms = 0;
    std::vector<Event> events;  // what happened since the last question
};

using ChoosePass = std::function<Cards(const Question&)>;
using ChooseCard = std::function<Card(const Question&)>;

// What a card costs who takes it: a Payoo its rank, the 7 of papayoo_suit 40, any other nothing.
inline int points(Card card, char papayoo_suit) {
    if (card.suit == 'P') return card.rank;
    return card == Card{papayoo_suit, 7} ? 40 : 0;
}

// The card that takes a trick, which has one at least: the highest of the suit that was led.
inline Card winner(const Cards& trick) {
    Card best = trick.front();
    for (Card card : trick)
        if (card.suit == best.suit && card.rank > best.rank) best = card;
    return best;
}

// ---------------------------------------------------------------- reading a line
// A message is a line: base64 of a msgpack map. Of msgpack the protocol uses nil, bool, int, str, array
// and map. What does not fit into the first byte follows it, most significant byte first.

struct Value;
using Array = std::vector<Value>;
using Map = std::map<std::string, Value>;
struct Value : std::variant<std::nullptr_t, bool, std::int64_t, std::string, Array, Map> {
    using variant::variant;
};

// A line that the protocol does not allow.
struct Refused : std::runtime_error {
    using runtime_error::runtime_error;
};

constexpr std::size_t max_line = 65536, max_depth = 8, max_items = 1024, max_keys = 64;
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline std::string from_base64(std::string_view line) {
    if (line.empty() || line.size() % 4 || line.size() >= max_line) throw Refused("not a line of base64");
    const std::size_t padding = line.back() != '=' ? 0 : line[line.size() - 2] != '=' ? 1 : 2;
    std::string data;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < line.size(); i++) {
        const std::size_t digit = i < line.size() - padding ? digits.find(line[i]) : 0;
        if (digit == digits.npos) throw Refused("not a line of base64");
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        if (i % 4 == 3)
            for (int shift : {16, 8, 0}) data += static_cast<char>(bits >> shift);
    }
    data.resize(data.size() - padding);
    return data;
}

inline bool is_utf8(std::string_view text) {
    constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<std::uint8_t>(text[i++]);
        if ((first >= 0x80 && first < 0xc0) || first >= 0xf8) return false;
        const unsigned more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        if (more > text.size() - i) return false;
        std::uint32_t code = more ? first & (0x3f >> more) : first;
        for (unsigned part = 0; part < more; part++, i++) {
            if ((text[i] & 0xc0) != 0x80) return false;
            code = code << 6 | (text[i] & 0x3f);
        }
        if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    }
    return true;
}

// Reads values out of msgpack bytes, one after the other.
class Reader {
public:
    explicit Reader(std::string_view data) : rest(data) {}

    bool done() const { return rest.empty(); }

    Value value(std::size_t depth) {
        const auto first = static_cast<std::uint8_t>(number(1));
        if (first < 0x80) return std::int64_t{first};
        if (first < 0x90) return map(first & 0x0f, depth + 1);
        if (first < 0xa0) return array(first & 0x0f, depth + 1);
        if (first < 0xc0) return text(first & 0x1f);
        if (first >= 0xe0) return std::int64_t{first - 0x100};
        if (first == 0xc0) return nullptr;
        if (first == 0xc2 || first == 0xc3) return first == 0xc3;
        if (first >= 0xcc && first <= 0xcf) return exact(number(1 << (first - 0xcc)));
        if (first >= 0xd0 && first <= 0xd3) return negative(1 << (first - 0xd0));
        if (first >= 0xd9 && first <= 0xdb) return text(number(1 << (first - 0xd9)));
        if (first == 0xdc || first == 0xdd) return array(number(2 << (first - 0xdc)), depth + 1);
        if (first == 0xde || first == 0xdf) return map(number(2 << (first - 0xde)), depth + 1);
        throw Refused("a msgpack type that is not part of the protocol");
    }

private:
    std::string_view rest;

    std::string_view take(std::uint64_t count) {
        if (count > rest.size()) throw Refused("a message is cut short");
        const std::string_view part = rest.substr(0, count);
        rest.remove_prefix(count);
        return part;
    }

    std::uint64_t number(int bytes) {
        std::uint64_t number = 0;
        for (char byte : take(bytes)) number = number << 8 | static_cast<std::uint8_t>(byte);
        return number;
    }

    static std::int64_t exact(std::uint64_t number) {
        if (number >> 53) throw Refused("an integer of 2^53 or more");
        return static_cast<std::int64_t>(number);
    }

    // An integer in two's complement; it may be positive as well.
    std::int64_t negative(int bytes) {
        const std::uint64_t raw = number(bytes) << (64 - 8 * bytes);
        if (!(raw >> 63)) return exact(raw >> (64 - 8 * bytes));
        return -exact((~raw >> (64 - 8 * bytes)) + 1);
    }

    std::string text(std::uint64_t size) {
        const std::string_view text = take(size);
        if (!is_utf8(text)) throw Refused("a string that is not UTF-8");
        return std::string(text);
    }

    Array array(std::uint64_t size, std::size_t depth) {
        if (size > max_items || depth > max_depth) throw Refused("an array too long or too deep");
        Array items;
        while (size--) items.push_back(value(depth));
        return items;
    }

    Map map(std::uint64_t size, std::size_t depth) {
        if (size > max_keys || depth > max_depth) throw Refused("a map too large or too deep");
        Map pairs;
        while (size--) {
            const Value key = value(depth);
            const auto* name = std::get_if<std::string>(&key);
            if (!name || !pairs.emplace(*name, value(depth)).second)
                throw Refused("a key that is no string, or comes twice");
        }
        return pairs;
    }
};

// The message in a line, which has lost its newline. Throws Refused.
inline Map decode(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::string data = from_base64(line);
    Reader reader(data);
    Value message = reader.value(0);
    auto* map = std::get_if<Map>(&message);
    if (!map || !reader.done()) throw Refused("a message is exactly one map");
    return std::move(*map);
}

// ---------------------------------------------------------------- writing a line

inline std::string byte(std::size_t value) { return std::string(1, static_cast<char>(value)); }

inline std::string wide(int first, std::uint64_t number, int bytes) {
    std::string data = byte(first);
    while (bytes--) data += static_cast<char>(number >> 8 * bytes);
    return data;
}

inline std::string packed(std::int64_t number) {
    if (number >= -32 && number < 128) return byte(static_cast<std::size_t>(number));
    int power = 0;
    while (power < 3 && (number < 0 ? -(number + 1) >> ((8 << power) - 1) : number >> (8 << power))) power++;
    return wide((number < 0 ? 0xd0 : 0xcc) + power, static_cast<std::uint64_t>(number), 1 << power);
}

inline std::string packed(const std::string& text) {
    const std::size_t size = text.size();
    if (size < 32) return byte(0xa0 + size) + text;
    if (size < 256) return wide(0xd9, size, 1) + text;
    return (size < 65536 ? wide(0xda, size, 2) : wide(0xdb, size, 4)) + text;
}

// How an array (0x90, 0xdc) or a map (0x80, 0xde) begins.
inline std::string head(std::size_t size, int first, int kind) {
    if (size < 16) return byte(first + size);
    return size < 65536 ? wide(kind, size, 2) : wide(kind + 1, size, 4);
}

// The line of msgpack bytes, with its newline.
inline std::string to_line(const std::string& data) {
    std::string line;
    for (std::size_t i = 0; i < data.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = i; k < i + 3; k++)
            bits = bits << 8 | (k < data.size() ? static_cast<std::uint8_t>(data[k]) : 0);
        for (int shift : {18, 12, 6, 0}) line += digits[bits >> shift & 63];
    }
    for (std::size_t k = 0; k < (3 - data.size() % 3) % 3; k++) line[line.size() - 1 - k] = '=';
    return line + '\n';
}

// ---------------------------------------------------------------- the conversation

// The value of a key, or what an absent one or another type stands for: nothing.
template <typename Type>
Type get(const Map& map, const char* key) {
    const auto found = map.find(key);
    const Type* value = found == map.end() ? nullptr : std::get_if<Type>(&found->second);
    return value ? *value : Type{};
}

inline int get_int(const Map& map, const char* key) { return static_cast<int>(get<std::int64_t>(map, key)); }

inline Card to_card(const std::string& text) {
    return text.size() < 2 ? Card{} : Card{text[0], std::stoi(text.substr(1))};
}

inline std::string to_text(Card card) { return card.suit + std::to_string(card.rank); }

inline Cards get_cards(const Map& map, const char* key) {
    Cards cards;
    for (const Value& item : get<Array>(map, key)) cards.push_back(to_card(std::get<std::string>(item)));
    return cards;
}

inline std::vector<int> get_ints(const Map& map, const char* key) {
    std::vector<int> ints;
    for (const Value& item : get<Array>(map, key)) ints.push_back(static_cast<int>(std::get<std::int64_t>(item)));
    return ints;
}

inline std::vector<Event> get_events(const Map& map) {
    std::vector<Event> events;
    for (const Value& item : get<Array>(map, "events")) {
        const Map& told = std::get<Map>(item);
        const bool stand_in = get<std::string>(told, "by") == "stand_in";
        Event event{get<std::string>(told, "event"), get_int(told, "seat"), get_cards(told, "cards"), stand_in};
        if (told.count("card")) event.cards = {to_card(get<std::string>(told, "card"))};
        events.push_back(event);
    }
    return events;
}

// The question of a message; what only `start` tells comes from there.
inline Question to_question(const Map& message, const Map& start) {
    Question question;
    question.table = get_int(message, "table");
    question.players = get_int(start, "players");
    question.rounds = get_int(start, "rounds");
    question.seed = static_cast<std::uint32_t>(get<std::int64_t>(start, "seed"));
    question.seat = get_int(message, "seat");
    question.round = get_int(message, "round");
    question.dealer = get_int(message, "dealer");
    question.hand = get_cards(message, "hand");
    question.count = get_int(message, "count");
    question.trick_number = get_int(message, "trick_number");
    question.leader = get_int(message, "leader");
    question.papayoo_suit = get<std::string>(message, "papayoo_suit").c_str()[0];
    question.legal = get_cards(message, "legal");
    question.trick = get_cards(message, "trick");
    question.received = get_cards(message, "received");
    question.passed = get_cards(message, "passed");
    question.points = get_ints(message, "points");
    question.scores = get_ints(message, "scores");
    question.move_ms = get_int(message, "move_ms");
    question.bank_ms = get_int(message, "bank_ms");
    question.events = get_events(message);
    return question;
}

// The bytes of an answer up to its `pairs` further keys.
inline std::string answer(const char* type, const Map& question, std::size_t pairs) {
    return head(2 + pairs, 0x80, 0xde) + packed("type") + packed(std::string(type)) + packed("id") +
           packed(get<std::string>(question, "id"));
}

inline std::string packed_cards(const Cards& cards) {
    std::string data = head(cards.size(), 0x90, 0xdc);
    for (Card card : cards) data += packed(to_text(card));
    return data;
}

// Answers questions until the arena says bye or closes the pipe; what main returns. Standard output belongs
// to the arena, so what a bot writes to std::cout goes to standard error.
inline int run(const std::string& name, const ChoosePass& choose_pass, const ChooseCard& choose_card) {
    std::ostream arena(std::cout.rdbuf(std::cerr.rdbuf()));
    Map start;
    try {
        for (std::string line; std::getline(std::cin, line);) {
            const Map message = decode(line);
            const std::string type = get<std::string>(message, "type");
            if (type == "bye") return 0;
            if (type == "start") start = message;
            if (type == "hello")
                arena << to_line(answer("ready", message, 3) + packed("name") + packed(name) + packed("version") +
                                 packed("1") + packed("language") + packed("C++"));
            else if (type == "pass")
                arena << to_line(answer("cards", message, 1) + packed("cards") +
                                 packed_cards(choose_pass(to_question(message, start))));
            else if (type == "play")
                arena << to_line(answer("card", message, 1) + packed("card") +
                                 packed(to_text(choose_card(to_question(message, start)))));
            arena.flush();  // nothing else is answered
        }
    } catch (const Refused& refused) {
        std::cerr << "a line is refused: " << refused.what() << '\n';
        return 1;
    }
    return 0;
}

}  // namespace papayoo

// Reads lines of the protocol, in hexadecimal, and writes them again: see README.md one folder up.
#include "papayoo.hpp"

using namespace papayoo;

static std::string pack(const Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return packed(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return packed(*text);
    if (const auto* array = std::get_if<Array>(&value)) {
        std::string data = head(array->size(), 0x90, 0xdc);
        for (const Value& item : *array) data += pack(item);
        return data;
    }
    if (const auto* map = std::get_if<Map>(&value)) {
        std::string data = head(map->size(), 0x80, 0xde);
        for (const auto& [key, item] : *map) data += packed(key) + pack(item);
        return data;
    }
    const auto* truth = std::get_if<bool>(&value);
    return byte(truth ? 0xc2 + *truth : 0xc0);
}

int main() {
    for (std::string text; std::getline(std::cin, text);) {
        std::string line;
        for (std::size_t i = 0; i + 1 < text.size(); i += 2)
            line += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
        try {
            std::cout << to_line(pack(decode(line)));
        } catch (const Refused& refused) {
            std::cout << "refused " << refused.what() << '\n';
        }
    }
}

"""Says what nobody asked for: text_first, text, nonsense, wrong_id, wrong_type, twice."""

import sys

from speak import good_answer, play, raw, say

HOW = sys.argv[1]


def decide(number: int, question: dict) -> dict | None:
    answer = good_answer(question)
    match HOW:
        case "text":
            raw(b"thinking about it\n")
        case "nonsense":
            raw(b"wcHB\n")  # base64, but no msgpack
            return None
        case "wrong_id":
            answer["id"] = "1"
        case "wrong_type":
            return {"type": "cards", "id": question["id"], "cards": question["hand"][:5]}
        case "twice":
            say(answer)
    return answer


if HOW == "text_first":
    raw(b"Loading the model\n")
play(decide)

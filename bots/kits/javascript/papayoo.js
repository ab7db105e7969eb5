// Talks to the arena, so that a bot need not: Node without packages, and nothing to change here.
//
//     run("Mine", choosePass, chooseCard);
//
// For playing there are rank, points and winner. The protocol is described in SPEC.md of the arena.
"use strict";

// ---------------------------------------------------------------- cards

/** The number of a card: 20 for "P20". Its suit is card[0]. */
const rank = (card) => Number(card.slice(1));

/** What a card costs who takes it: a Payoo its rank, the 7 of papayooSuit 40, any other nothing. */
function points(card, papayooSuit) {
  if (card[0] === "P") return rank(card);
  return card === papayooSuit + "7" ? 40 : 0;
}

/** The card that takes a trick: the highest of the suit that was led. */
function winner(trick) {
  return trick.reduce((best, card) => (card[0] === best[0] && rank(card) > rank(best) ? card : best));
}

// ---------------------------------------------------------------- the conversation

/**
 * Answers questions until the arena says bye or closes the pipe. `news`, if given, is called with the messages
 * start, round_over and match_over. Standard output belongs to the arena, so console.log goes to standard error.
 */
function run(name, choosePass, chooseCard, news = () => {}) {
  console.log = console.info = console.debug = console.error;
  const about = { name, version: "1", language: "JavaScript" };
  const reply = (message) => {
    const { type, id } = message;
    if (type === "hello") return { type: "ready", id, ...about };
    if (type === "pass") return { type: "cards", id, cards: choosePass(message) };
    if (type === "play") return { type: "card", id, card: chooseCard(message) };
    if (type === "bye") process.exit();
    if (["start", "round_over", "match_over"].includes(type)) news(message);
    return undefined; // nobody waits for an answer
  };
  let unfinished = ""; // a line whose end has not come yet
  process.stdin.setEncoding("latin1"); // base64 is ASCII
  process.stdin.on("data", (text) => {
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop();
    for (const line of lines) {
      const answer = reply(decode(line));
      if (answer) process.stdout.write(encode(answer) + "\n");
    }
  });
}

// ---------------------------------------------------------------- lines
// A message is a line: base64 of a msgpack map. Of msgpack the protocol uses nil, bool, int, str, array
// and map. What does not fit into the first byte follows it, most significant byte first.

const LINE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\r?$/;
const MAX_LINE = 65536, MAX_DEPTH = 8, MAX_ITEMS = 1024, MAX_KEYS = 64;
const CONSTANTS = new Map([[0xc0, null], [0xc2, false], [0xc3, true]]);
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The message in a line, without its newline. Throws an Error for what the protocol does not allow. */
function decode(line) {
  if (line.length >= MAX_LINE || !LINE.test(line)) throw new Error("not a line of base64");
  const reader = new Reader(Buffer.from(line, "base64"));
  const message = reader.value(0);
  if (!isMap(message) || reader.at !== reader.data.length) throw new Error("a message is exactly one map");
  return message;
}

const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads values out of msgpack bytes, one after the other. */
class Reader {
  constructor(data) {
    this.data = data;
    this.at = 0; // the index of the next byte
  }

  value(depth) {
    const first = this.take(1)[0];
    if (first < 0x80) return first;
    if (first < 0x90) return this.map(first - 0x80, depth + 1);
    if (first < 0xa0) return this.array(first - 0x90, depth + 1);
    if (first < 0xc0) return this.string(first - 0xa0);
    if (first >= 0xe0) return first - 0x100;
    if (CONSTANTS.has(first)) return CONSTANTS.get(first);
    if (first >= 0xcc && first <= 0xcf) return this.integer(1 << (first - 0xcc), false);
    if (first >= 0xd0 && first <= 0xd3) return this.integer(1 << (first - 0xd0), true);
    if (first >= 0xd9 && first <= 0xdb) return this.string(this.integer(1 << (first - 0xd9), false));
    if (first === 0xdc || first === 0xdd) return this.array(this.integer(2 << (first - 0xdc), false), depth + 1);
    if (first === 0xde || first === 0xdf) return this.map(this.integer(2 << (first - 0xde), false), depth + 1);
    throw new Error(`msgpack type 0x${first.toString(16)} is not part of the protocol`);
  }

  take(count) {
    if (count > this.data.length - this.at) throw new Error("a message is cut short");
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }

  /** An integer of 1, 2, 4 or 8 bytes. */
  integer(bytes, signed) {
    const part = this.take(bytes);
    if (bytes < 8) return signed ? part.readIntBE(0, bytes) : part.readUIntBE(0, bytes);
    const number = Number(signed ? part.readBigInt64BE() : part.readBigUInt64BE());
    if (!Number.isSafeInteger(number)) throw new Error(`an integer of 2^53 or more: ${number}`);
    return number;
  }

  string(bytes) {
    return UTF8.decode(this.take(bytes));
  }

  array(count, depth) {
    if (count > MAX_ITEMS || depth > MAX_DEPTH) throw new Error("an array too long or too deep");
    return Array.from({ length: count }, () => this.value(depth));
  }

  map(count, depth) {
    if (count > MAX_KEYS || depth > MAX_DEPTH) throw new Error("a map too large or too deep");
    const pairs = Object.create(null); // any key is harmless, "__proto__" included
    for (let i = 0; i < count; i++) {
      const key = this.value(depth);
      if (typeof key !== "string" || key in pairs) throw new Error("a key that is no string, or comes twice");
      pairs[key] = this.value(depth);
    }
    return pairs;
  }
}

/** The line of a message, without its newline. */
const encode = (message) => packed(message).toString("base64");

function packed(value) {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "number") return packedInt(value);
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([head(text.length, 0xa0, 32, [, 0xd9, 0xda, 0xdb]), text]);
  }
  if (Array.isArray(value)) {
    return Buffer.concat([head(value.length, 0x90, 16, [, , 0xdc, 0xdd]), ...value.map(packed)]);
  }
  if (!isMap(value)) throw new TypeError(`a message holds no ${typeof value}`);
  const pairs = Object.entries(value);
  return Buffer.concat([head(pairs.length, 0x80, 16, [, , 0xde, 0xdf]), ...pairs.flat().map(packed)]);
}

/** How a string, array or map begins; `kinds` are the first bytes before a size of 1, 2 and 4 bytes. */
function head(size, first, most, kinds) {
  if (size < most) return Buffer.from([first + size]);
  const width = [1, 2, 3].find((width) => kinds[width] && size < 2 ** (4 << width));
  return unsigned(kinds[width], size, 1 << (width - 1));
}

function packedInt(value) {
  if (!Number.isSafeInteger(value)) throw new TypeError(`no integer: ${value}`);
  if (value >= -32 && value < 128) return Buffer.from([value & 0xff]);
  const size = [1, 2, 4, 8].find((bytes) => (value < 0 ? -value <= 2 ** (8 * bytes - 1) : value < 2 ** (8 * bytes)));
  return unsigned((value < 0 ? 0xd0 : 0xcc) + Math.log2(size), value, size);
}

/** A first byte and a number of so many bytes; negative ones as two's complement. */
function unsigned(kind, number, bytes) {
  const data = Buffer.alloc(9);
  data[0] = kind;
  data.writeBigUInt64BE(BigInt.asUintN(64, BigInt(number) << BigInt(64 - 8 * bytes)), 1);
  return data.subarray(0, 1 + bytes);
}

module.exports = { decode, encode, points, rank, run, winner };

// Duck, in JavaScript without packages: stays under the card that is winning the trick.
//
// A complete bot in one file: play, msgpack, the conversation. To write your own, change choosePass
// and chooseCard. It plays as bots/python/duck does, and remembers nothing between questions, so it
// can sit at several tables at once.
//
//     node bot.js
"use strict";

// ---------------------------------------------------------------- play

const rank = (card) => Number(card.slice(1));
const byRank = (a, b) => rank(a) - rank(b); // sort keeps the order of equals

/** The card that takes a trick: the highest of the suit that was led. */
function winner(trick) {
  return trick.reduce((best, card) => (card[0] === best[0] && rank(card) > rank(best) ? card : best));
}

/** Passes on the highest cards. */
function choosePass(question) {
  return [...question.hand].sort(byRank).slice(-question.count);
}

/** The highest card below the one that is winning; where there is none, the lowest. */
function chooseCard(question) {
  const { legal, trick } = question;
  if (trick.length > 0) {
    const best = winner(trick);
    const under = legal.filter((card) => card[0] === best[0] && rank(card) < rank(best));
    if (under.length > 0) return under.sort(byRank).at(-1);
  }
  return [...legal].sort(byRank)[0];
}

// ---------------------------------------------------------------- msgpack

const CONSTANTS = new Map([[0xc0, null], [0xc2, false], [0xc3, true]]);

/** Reads msgpack values out of a Buffer, one after the other. */
class Reader {
  constructor(data) {
    this.data = data;
    this.at = 0;
  }

  value() {
    const first = this.data.readUInt8(this.at++);
    if (first < 0x80) return first;
    if (first < 0x90) return this.map(first & 0x0f);
    if (first < 0xa0) return this.array(first & 0x0f);
    if (first < 0xc0) return this.string(first & 0x1f);
    if (first >= 0xe0) return first - 0x100;
    return this.long(first);
  }

  /** The values whose first byte says only what they are and how wide their number is. */
  long(first) {
    if (CONSTANTS.has(first)) return CONSTANTS.get(first);
    if (first >= 0xcc && first <= 0xcf) return this.number(1 << (first - 0xcc), false);
    if (first >= 0xd0 && first <= 0xd3) return this.number(1 << (first - 0xd0), true);
    if (first >= 0xd9 && first <= 0xdb) return this.string(this.number(1 << (first - 0xd9), false));
    if (first === 0xdc || first === 0xdd) return this.array(this.number(2 << (first - 0xdc), false));
    if (first === 0xde || first === 0xdf) return this.map(this.number(2 << (first - 0xde), false));
    throw new Error(`msgpack type 0x${first.toString(16)} is not part of the protocol`);
  }

  /** An integer of 1, 2, 4 or 8 bytes. No integer of the protocol is too large for a Number. */
  number(bytes, signed) {
    const at = this.at;
    this.at += bytes;
    if (bytes === 8) return Number(signed ? this.data.readBigInt64BE(at) : this.data.readBigUInt64BE(at));
    return signed ? this.data.readIntBE(at, bytes) : this.data.readUIntBE(at, bytes);
  }

  string(bytes) {
    this.at += bytes;
    return this.data.toString("utf8", this.at - bytes, this.at);
  }

  array(length) {
    return Array.from({ length }, () => this.value());
  }

  map(length) {
    const pairs = this.array(2 * length);
    return Object.fromEntries(Array.from({ length }, (_, i) => [pairs[2 * i], pairs[2 * i + 1]]));
  }
}

function decode(line) {
  const reader = new Reader(Buffer.from(line, "base64"));
  const message = reader.value();
  if (reader.at !== reader.data.length) throw new Error("a message is exactly one msgpack map");
  return message;
}

/** What answers are made of: maps and arrays of less than 16, texts of less than 256 bytes, 0 to 127. */
function pack(value) {
  if (typeof value === "number") return Buffer.from([value]);
  if (typeof value === "string") {
    const text = Buffer.from(value, "utf8");
    return Buffer.concat([Buffer.from(text.length < 32 ? [0xa0 + text.length] : [0xd9, text.length]), text]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([0x90 + value.length]), ...value.map(pack)]);
  const pairs = Object.entries(value);
  return Buffer.concat([Buffer.from([0x80 + pairs.length]), ...pairs.flat().map(pack)]);
}

// ---------------------------------------------------------------- the conversation

const ABOUT = { name: "Duck (JavaScript)", version: "1", tables: 8, language: "JavaScript" };

/** The answer to a message, or undefined if it needs none. */
function answer(message) {
  const { type, id } = message;
  if (type === "hello") return { type: "ready", id, ...ABOUT };
  if (type === "pass") return { type: "cards", id, cards: choosePass(message) };
  if (type === "play") return { type: "card", id, card: chooseCard(message) };
  return undefined;
}

let unfinished = ""; // a line whose end has not come yet
process.stdin.setEncoding("latin1"); // base64 is ASCII
process.stdin.on("data", (text) => {
  const lines = (unfinished + text).split("\n");
  unfinished = lines.pop();
  for (const line of lines) {
    const message = decode(line);
    if (message.type === "bye") process.exit();
    const reply = answer(message);
    if (reply) process.stdout.write(pack(reply).toString("base64") + "\n");
  }
});

// Talks to the arena, so that a bot need not: Node without packages, and nothing to change here.
//
//     run("Mine", choosePass, chooseCard);
//
// PassQuestion and PlayQuestion are what a bot is asked; for playing there are rank, points and winner. The
// protocol is described in SPEC.md of the arena.

// ---------------------------------------------------------------- what a bot sees

/** Suit and rank: "S7" is the seven of spades, "P20" the Payoo 20. */
export type Card = string;
export type Suit = "S" | "H" | "D" | "C";

/** What happened. `by` stands only in events about your own seat: stand_in if it was chosen for you after a fault. */
export type Event =
  | { event: "passed"; seat: number; cards: Card[]; by: "bot" | "stand_in" }
  | { event: "received"; seat: number; cards: Card[] }
  | { event: "die"; seat: number; card: Card }
  | { event: "played"; seat: number; card: Card; by?: "bot" | "stand_in" }
  | { event: "taken"; seat: number; cards: Card[] };

/** What both kinds of question have. Lists of numbers are by seat. */
export interface Question {
  id: string;
  table: number;
  round: number; // from 0
  dealer: number; // leads to the first trick
  players: number; // how many seats the table has
  seat: number; // yours; seats are numbered clockwise from 0
  hand: Card[]; // sorted by suit and rank
  scores: number[]; // card points of the earlier rounds
  move_ms: number; // the time you have, and what is left beyond it for the match
  bank_ms: number;
  events: Event[]; // what happened since you were last told something
}

export interface PassQuestion extends Question {
  type: "pass";
  count: number;
}

export interface PlayQuestion extends Question {
  type: "play";
  trick_number: number; // from 0
  leader: number;
  papayoo_suit: Suit; // the 7 of it costs 40
  legal: Card[];
  trick: Card[]; // the cards of this trick so far, the leader's first; empty if you lead
  received: Card[]; // in this round's pass
  passed: Card[];
  points: number[]; // card points of this round so far
}

/** A match begins. */
export interface Start {
  type: "start";
  table: number;
  players: number;
  seat: number;
  rounds: number;
  seed: number; // for your random numbers, so that your play can be repeated
  move_ms: number;
  bank_ms: number;
  pass_count: number;
}

export interface RoundOver {
  type: "round_over";
  table: number;
  round: number;
  points: number[];
  scores: number[];
  events: Event[];
}

export interface MatchOver {
  type: "match_over";
  table: number;
  scores: number[];
  places: number[]; // from 1; equals share one
  events: Event[];
}

export type News = Start | RoundOver | MatchOver;

/** The number of a card: 20 for "P20". Its suit is card[0]. */
export const rank = (card: Card): number => Number(card.slice(1));

/** What a card costs who takes it: a Payoo its rank, the 7 of papayooSuit 40, any other nothing. */
export function points(card: Card, papayooSuit: Suit): number {
  if (card[0] === "P") return rank(card);
  return card === papayooSuit + "7" ? 40 : 0;
}

/** The card that takes a trick: the highest of the suit that was led. */
export function winner(trick: Card[]): Card {
  return trick.reduce((best, card) => (card[0] === best[0] && rank(card) > rank(best) ? card : best));
}

// ---------------------------------------------------------------- the conversation

// What is used of Node, so that its types need not be installed.
interface Bytes extends Uint8Array {
  toString(encoding?: "base64"): string;
}
declare const Buffer: {
  from(data: number[]): Bytes;
  from(text: string, encoding: "base64" | "utf8"): Bytes;
  concat(parts: Uint8Array[]): Bytes;
};
declare const TextDecoder: new (encoding: string, options: object) => { decode(data: Uint8Array): string };
declare const process: {
  stdin: { setEncoding(encoding: string): void; on(event: "data", listener: (text: string) => void): void };
  stdout: { write(text: string): void };
  exit(): never;
};
declare const console: Record<"debug" | "error" | "info" | "log", (...data: unknown[]) => void>;

/**
 * Answers questions until the arena says bye or closes the pipe. Standard output belongs to the arena, so
 * console.log goes to standard error.
 */
export function run(
  name: string,
  choosePass: (question: PassQuestion) => Card[],
  chooseCard: (question: PlayQuestion) => Card,
  news: (message: News) => void = () => {},
): void {
  console.log = console.info = console.debug = console.error;
  const about = { name, version: "1", language: "TypeScript" };

  function reply(message: Message): Message | undefined {
    const { type, id } = message;
    const told: unknown = message; // the arena keeps to the types above
    if (type === "hello") return { type: "ready", id, ...about };
    if (type === "pass") return { type: "cards", id, cards: choosePass(told as PassQuestion) };
    if (type === "play") return { type: "card", id, card: chooseCard(told as PlayQuestion) };
    if (type === "bye") process.exit();
    if (type === "start" || type === "round_over" || type === "match_over") news(told as News);
    return undefined; // nobody waits for an answer
  }

  let unfinished = ""; // a line whose end has not come yet
  process.stdin.setEncoding("latin1"); // base64 is ASCII
  process.stdin.on("data", (text) => {
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) {
      const answer = reply(decode(line));
      if (answer) process.stdout.write(encode(answer) + "\n");
    }
  });
}

// ---------------------------------------------------------------- lines
// A message is a line: base64 of a msgpack map. Of msgpack the protocol uses nil, bool, int, str, array
// and map. What does not fit into the first byte follows it, most significant byte first.

export type Value = null | boolean | number | string | Value[] | Message;
export interface Message {
  [key: string]: Value;
}

const LINE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\r?$/;
const MAX_LINE = 65536, MAX_DEPTH = 8, MAX_ITEMS = 1024, MAX_KEYS = 64;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const isMap = (value: Value): value is Message =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The message in a line, without its newline. Throws an Error for what the protocol does not allow. */
export function decode(line: string): Message {
  if (line.length >= MAX_LINE || !LINE.test(line)) throw new Error("not a line of base64");
  const reader = new Reader(Buffer.from(line, "base64"));
  const message = reader.value(0);
  if (!isMap(message) || !reader.done) throw new Error("a message is exactly one map");
  return message;
}

/** Reads values out of msgpack bytes, one after the other. */
class Reader {
  private at = 0; // the index of the next byte
  private readonly view: DataView;

  constructor(private readonly data: Uint8Array) {
    this.view = new DataView(data.buffer, data.byteOffset, data.length);
  }

  get done(): boolean {
    return this.at === this.data.length;
  }

  value(depth: number): Value {
    const first = this.data[this.skip(1)];
    if (first < 0x80) return first;
    if (first < 0x90) return this.map(first - 0x80, depth + 1);
    if (first < 0xa0) return this.array(first - 0x90, depth + 1);
    if (first < 0xc0) return this.text(first - 0xa0);
    if (first >= 0xe0) return first - 0x100;
    switch (first) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xcc: return this.view.getUint8(this.skip(1));
      case 0xcd: return this.view.getUint16(this.skip(2));
      case 0xce: return this.view.getUint32(this.skip(4));
      case 0xcf: return exact(this.view.getBigUint64(this.skip(8)));
      case 0xd0: return this.view.getInt8(this.skip(1));
      case 0xd1: return this.view.getInt16(this.skip(2));
      case 0xd2: return this.view.getInt32(this.skip(4));
      case 0xd3: return exact(this.view.getBigInt64(this.skip(8)));
      case 0xd9: return this.text(this.view.getUint8(this.skip(1)));
      case 0xda: return this.text(this.view.getUint16(this.skip(2)));
      case 0xdb: return this.text(this.view.getUint32(this.skip(4)));
      case 0xdc: return this.array(this.view.getUint16(this.skip(2)), depth + 1);
      case 0xdd: return this.array(this.view.getUint32(this.skip(4)), depth + 1);
      case 0xde: return this.map(this.view.getUint16(this.skip(2)), depth + 1);
      case 0xdf: return this.map(this.view.getUint32(this.skip(4)), depth + 1);
    }
    throw new Error(`msgpack type 0x${first.toString(16)} is not part of the protocol`);
  }

  /** Goes on by so many bytes; the index of the first of them. */
  private skip(count: number): number {
    if (count > this.data.length - this.at) throw new Error("a message is cut short");
    this.at += count;
    return this.at - count;
  }

  private text(bytes: number): string {
    return UTF8.decode(this.data.subarray(this.skip(bytes), this.at));
  }

  private array(count: number, depth: number): Value[] {
    if (count > MAX_ITEMS || depth > MAX_DEPTH) throw new Error("an array too long or too deep");
    return Array.from({ length: count }, () => this.value(depth));
  }

  private map(count: number, depth: number): Message {
    if (count > MAX_KEYS || depth > MAX_DEPTH) throw new Error("a map too large or too deep");
    const pairs: Message = Object.create(null); // any key is harmless, "__proto__" included
    for (let i = 0; i < count; i++) {
      const key = this.value(depth);
      if (typeof key !== "string" || key in pairs) throw new Error("a key that is no string, or comes twice");
      pairs[key] = this.value(depth);
    }
    return pairs;
  }
}

function exact(number: bigint): number {
  if (!Number.isSafeInteger(Number(number))) throw new Error(`an integer of 2^53 or more: ${number}`);
  return Number(number);
}

/** The line of a message, without its newline. */
export const encode = (message: Message): string => Buffer.concat(packed(message)).toString("base64");

function packed(value: Value): Bytes[] {
  if (value === null) return [Buffer.from([0xc0])];
  if (typeof value === "boolean") return [Buffer.from([value ? 0xc3 : 0xc2])];
  if (typeof value === "number") return [packedInt(value)];
  if (typeof value === "string") {
    const text = Buffer.from(value, "utf8");
    if (text.length >= 32 && text.length < 256) return [wide(0xd9, text.length, 1), text];
    return [head(text.length, 0xa0, 32, 0xda), text];
  }
  if (Array.isArray(value)) return [head(value.length, 0x90, 16, 0xdc), ...value.flatMap(packed)];
  const pairs = Object.entries(value);
  return [head(pairs.length, 0x80, 16, 0xde), ...pairs.flat().flatMap(packed)];
}

/** How a string, array or map begins: with its size in the first byte, or in 2 or 4 bytes after it. */
function head(size: number, first: number, most: number, kind: number): Bytes {
  if (size < most) return Buffer.from([first + size]);
  return size < 65536 ? wide(kind, size, 2) : wide(kind + 1, size, 4);
}

function packedInt(value: number): Bytes {
  if (!Number.isSafeInteger(value)) throw new Error(`no integer: ${value}`);
  if (value >= -32 && value < 128) return Buffer.from([value & 0xff]);
  const fits = (bytes: number) => (value < 0 ? -value <= 2 ** (8 * bytes - 1) : value < 2 ** (8 * bytes));
  const power = [0, 1, 2].find((power) => fits(1 << power)) ?? 3;
  return wide((value < 0 ? 0xd0 : 0xcc) + power, value, 1 << power);
}

/** A first byte and a number of so many bytes; negative ones as two's complement. */
function wide(kind: number, number: number, bytes: number): Bytes {
  const places = Array.from({ length: bytes }, (_, place) => BigInt(8 * (bytes - 1 - place)));
  return Buffer.from([kind, ...places.map((shift) => Number((BigInt(number) >> shift) & 0xffn))]);
}

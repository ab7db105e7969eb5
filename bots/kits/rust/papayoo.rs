//! Everything a Rust bot needs to talk to the arena, in one file, standard library only.
//!
//! Implement `Bot` and call `run`. How to play well is not the business of this file.

#![allow(dead_code)] // a bot need not use everything

use std::fmt;
use std::io::{self, BufRead, Write};

pub type Error = Box<dyn std::error::Error>;

// ---------------------------------------------------------------------------- what you write

pub trait Bot {
    /// Which `question.count` cards of `question.hand` go to the left neighbour?
    fn choose_pass(&mut self, question: &Question) -> Vec<Card>;

    /// Which card of `question.legal` do you play?
    fn choose_card(&mut self, question: &Question) -> Card;

    /// News that need no answer, by the type of the message: start, round_over, match_over.
    fn news(&mut self, _kind: &str, _message: &Value) {}
}

// ---------------------------------------------------------------------------- what you are asked

/// A question. Lists of numbers have one for each seat; seats, rounds and tricks count from 0.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub table: usize,
    pub round: usize,
    pub dealer: usize,
    pub players: usize,   // how many seats the table has
    pub seat: usize, // yours; seat + 1 is the left neighbour, who gets your pass and plays after you
    pub hand: Vec<Card>, // sorted S, H, D, C, P and by rank
    pub scores: Vec<i64>, // card points of the earlier rounds
    pub move_ms: i64,
    pub bank_ms: i64,
    pub events: Vec<Event>, // since the last message

    // only in choose_pass
    pub count: usize,

    // only in choose_card
    pub trick_number: usize,
    pub leader: usize,
    pub papayoo_suit: char, // S, H, D or C
    pub legal: Vec<Card>,
    pub trick: Vec<Card>, // in play order, the leader's first; empty if you lead
    pub received: Vec<Card>,
    pub passed: Vec<Card>,
    pub points: Vec<i64>, // taken in this round so far
}

/// Something that happened: passed, received, die (its card is the Papayoo), played or taken.
#[derive(Clone, Debug)]
pub struct Event {
    pub event: String,
    pub seat: usize,
    pub cards: Vec<Card>, // of die and played just one
    pub by: String, // about your own seat: bot, or stand_in if it was chosen for you after a fault
}

impl Question {
    fn from(message: &Value) -> Result<Question, Error> {
        let scores: Vec<i64> = message.numbers("scores")?;
        let mut question = Question {
            table: message.number("table")?,
            round: message.number("round")?,
            dealer: message.number("dealer")?,
            players: scores.len(),
            seat: message.number("seat")?,
            hand: message.cards("hand")?,
            scores,
            move_ms: message.number("move_ms")?,
            bank_ms: message.number("bank_ms")?,
            events: message
                .list("events")?
                .iter()
                .map(Event::from)
                .collect::<Result<_, _>>()?,
            ..Question::default()
        };
        if message.text("type")? == "pass" {
            question.count = message.number("count")?;
            return Ok(question);
        }
        Ok(Question {
            trick_number: message.number("trick_number")?,
            leader: message.number("leader")?,
            papayoo_suit: message
                .text("papayoo_suit")?
                .chars()
                .next()
                .ok_or("a suit is missing")?,
            legal: message.cards("legal")?,
            trick: message.cards("trick")?,
            received: message.cards("received")?,
            passed: message.cards("passed")?,
            points: message.numbers("points")?,
            ..question
        })
    }
}

impl Event {
    pub fn from(event: &Value) -> Result<Event, Error> {
        Ok(Event {
            event: event.text("event")?.to_string(),
            seat: event.number("seat")?,
            cards: match event.get("card") {
                Some(card) => vec![card.card()?],
                None => event.cards("cards")?,
            },
            by: event.text("by").unwrap_or_default().to_string(),
        })
    }
}

// ---------------------------------------------------------------------------- cards

pub const PAYOO: char = 'P';

/// `S7`, `H10`, `P20`: suit S, H, D, C or P, and rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    pub suit: char,
    pub rank: u8,
}

impl Card {
    /// What it costs its taker: a Payoo its rank, the 7 of `papayoo_suit` 40, any other 0.
    pub fn points(self, papayoo_suit: char) -> u8 {
        match (self.suit, self.rank) {
            (PAYOO, rank) => rank,
            (suit, 7) if suit == papayoo_suit => 40,
            _ => 0,
        }
    }

    /// Whether it takes the trick from `other`, which was winning it.
    pub fn beats(self, other: Card) -> bool {
        self.suit == other.suit && self.rank > other.rank
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}{}", self.suit, self.rank)
    }
}

/// The card that takes a trick: the highest of the suit that was led. None if no card lies there.
pub fn winner(trick: &[Card]) -> Option<Card> {
    trick
        .iter()
        .copied()
        .reduce(|best, card| if card.beats(best) { card } else { best })
}

// ---------------------------------------------------------------------------- messages

/// What a message is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(pairs) => pairs
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn number<T: TryFrom<i64>>(&self, key: &str) -> Result<T, Error> {
        match self.get(key) {
            Some(Value::Int(number)) => {
                T::try_from(*number).map_err(|_| format!("{key} is out of range").into())
            }
            _ => Err(format!("{key} is no number").into()),
        }
    }

    pub fn text(&self, key: &str) -> Result<&str, Error> {
        match self.get(key) {
            Some(Value::Text(text)) => Ok(text),
            _ => Err(format!("{key} is no text").into()),
        }
    }

    pub fn list(&self, key: &str) -> Result<&[Value], Error> {
        match self.get(key) {
            Some(Value::List(values)) => Ok(values),
            _ => Err(format!("{key} is no list").into()),
        }
    }

    pub fn numbers(&self, key: &str) -> Result<Vec<i64>, Error> {
        let number = |value: &Value| match value {
            Value::Int(number) => Ok(*number),
            _ => Err(format!("{key} holds what is no number").into()),
        };
        self.list(key)?.iter().map(number).collect()
    }

    pub fn cards(&self, key: &str) -> Result<Vec<Card>, Error> {
        self.list(key)?.iter().map(Value::card).collect()
    }

    fn card(&self) -> Result<Card, Error> {
        match self {
            Value::Text(name) if name.is_ascii() && name.len() > 1 => Ok(Card {
                suit: name.as_bytes()[0] as char,
                rank: name[1..].parse()?,
            }),
            _ => Err("there is something else where a card should be".into()),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_string())
    }
}

impl From<Card> for Value {
    fn from(card: Card) -> Value {
        Value::Text(card.to_string())
    }
}

/// A map, its keys in this order.
fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::Map(pairs.map(|(key, value)| (key.to_string(), value)).into())
}

// ---------------------------------------------------------------------------- the wire
// One message is one line: base64(msgpack map) "\n". Of msgpack the protocol uses nil, bool, int,
// str, array and map. A number or a length that does not fit into the first byte follows it.

const MAX_DEPTH: usize = 8;
const MAX_ITEMS: usize = 1024;
const MAX_KEYS: usize = 64;

/// The message in a line, with or without its end. Refuses whatever protocol 1 does.
pub fn decode(line: &[u8]) -> Result<Value, Error> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let data = from_base64(line.strip_suffix(b"\r").unwrap_or(line))?;
    let mut rest = &data[..];
    match read(&mut rest, 1)? {
        message @ Value::Map(_) if rest.is_empty() => Ok(message),
        _ => Err("a message is exactly one map".into()),
    }
}

/// The line that carries a message (without its newline).
pub fn encode(message: &Value) -> String {
    let mut data = Vec::new();
    write(&mut data, message);
    to_base64(&data)
}

fn take<'a>(rest: &mut &'a [u8], size: usize) -> Result<&'a [u8], Error> {
    if size > rest.len() {
        return Err("the message ends too early".into());
    }
    let (taken, left) = rest.split_at(size);
    *rest = left;
    Ok(taken)
}

/// An unsigned number of that many bytes, most significant first.
fn big_endian(rest: &mut &[u8], bytes: usize) -> Result<u64, Error> {
    Ok(take(rest, bytes)?
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// The next value. `depth` is how deep it would be as a list or map; a message is 1.
fn read(rest: &mut &[u8], depth: usize) -> Result<Value, Error> {
    let kind = take(rest, 1)?[0];
    match kind {
        0x00..=0x7f => Ok(Value::Int(kind.into())),
        0x80..=0x8f => read_map(rest, kind as usize - 0x80, depth),
        0x90..=0x9f => read_list(rest, kind as usize - 0x90, depth),
        0xa0..=0xbf => read_text(rest, kind as usize - 0xa0),
        0xc0 => Ok(Value::Nil),
        0xc2 | 0xc3 => Ok(Value::Bool(kind == 0xc3)),
        0xcc..=0xcf => {
            let number = big_endian(rest, 1 << (kind - 0xcc))?;
            int(number.try_into().unwrap_or(i64::MAX))
        }
        0xd0..=0xd3 => {
            let bytes = 1 << (kind - 0xd0);
            let unused = 64 - 8 * bytes; // there and back again extends the sign
            int((big_endian(rest, bytes)? << unused) as i64 >> unused)
        }
        0xd9..=0xdb => size(rest, 1 << (kind - 0xd9)).and_then(|size| read_text(rest, size)),
        0xdc | 0xdd => size(rest, 2 << (kind - 0xdc)).and_then(|size| read_list(rest, size, depth)),
        0xde | 0xdf => size(rest, 2 << (kind - 0xde)).and_then(|size| read_map(rest, size, depth)),
        0xe0..=0xff => Ok(Value::Int((kind as i8).into())),
        _ => Err(format!("msgpack type {kind:#04x} is not part of the protocol").into()),
    }
}

fn size(rest: &mut &[u8], bytes: usize) -> Result<usize, Error> {
    Ok(big_endian(rest, bytes)?.try_into()?)
}

fn int(number: i64) -> Result<Value, Error> {
    if number.unsigned_abs() >= 1 << 53 {
        return Err("an integer is 2^53 or more in size".into());
    }
    Ok(Value::Int(number))
}

fn read_text(rest: &mut &[u8], size: usize) -> Result<Value, Error> {
    Ok(Value::Text(String::from_utf8(take(rest, size)?.to_vec())?))
}

fn read_list(rest: &mut &[u8], size: usize, depth: usize) -> Result<Value, Error> {
    if size > MAX_ITEMS || depth > MAX_DEPTH {
        return Err("a list is too long, or nested too deep".into());
    }
    (0..size)
        .map(|_| read(rest, depth + 1))
        .collect::<Result<_, _>>()
        .map(Value::List)
}

fn read_map(rest: &mut &[u8], size: usize, depth: usize) -> Result<Value, Error> {
    if size > MAX_KEYS || depth > MAX_DEPTH {
        return Err("a map is too large, or nested too deep".into());
    }
    let mut pairs: Vec<(String, Value)> = Vec::new();
    for _ in 0..size {
        match read(rest, depth + 1)? {
            Value::Text(key) if pairs.iter().all(|(other, _)| *other != key) => {
                pairs.push((key, read(rest, depth + 1)?));
            }
            _ => return Err("a key is no text, or comes twice".into()),
        }
    }
    Ok(Value::Map(pairs))
}

fn write(data: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Nil => data.push(0xc0),
        Value::Bool(value) => data.push(0xc2 + u8::from(*value)),
        Value::Int(number) => write_int(data, *number),
        Value::Text(text) => {
            match text.len() {
                size @ 0..=31 => data.push(0xa0 + size as u8),
                size @ 32..=255 => data.extend([0xd9, size as u8]),
                size => write_size(data, 0xda, size),
            }
            data.extend(text.as_bytes());
        }
        Value::List(values) => {
            match values.len() {
                size @ 0..=15 => data.push(0x90 + size as u8),
                size => write_size(data, 0xdc, size),
            }
            values.iter().for_each(|value| write(data, value));
        }
        Value::Map(pairs) => {
            match pairs.len() {
                size @ 0..=15 => data.push(0x80 + size as u8),
                size => write_size(data, 0xde, size),
            }
            for (key, value) in pairs {
                write(data, &Value::from(key.as_str()));
                write(data, value);
            }
        }
    }
}

/// A size in two bytes after `kind`, or in four after the kind that follows.
fn write_size(data: &mut Vec<u8>, kind: u8, size: usize) {
    if size <= 0xffff {
        data.push(kind);
        data.extend((size as u16).to_be_bytes());
    } else {
        data.push(kind + 1);
        data.extend((size as u32).to_be_bytes());
    }
}

#[allow(clippy::match_overlapping_arm)] // the first that fits
fn write_int(data: &mut Vec<u8>, number: i64) {
    if (-32..128).contains(&number) {
        return data.push(number as u8);
    }
    let (kind, bytes) = match number {
        0..=0xff => (0xcc, 1),
        0..=0xffff => (0xcd, 2),
        0..=0xffff_ffff => (0xce, 4),
        0.. => (0xcf, 8),
        -0x80.. => (0xd0, 1),
        -0x8000.. => (0xd1, 2),
        -0x8000_0000.. => (0xd2, 4),
        _ => (0xd3, 8),
    };
    data.push(kind);
    data.extend(&number.to_be_bytes()[8 - bytes..]);
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn to_base64(data: &[u8]) -> String {
    let mut line = String::new();
    for three in data.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| {
            bits << 8 | u32::from(*three.get(i).unwrap_or(&0))
        });
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            line.push(if i <= three.len() { digit as char } else { '=' });
        }
    }
    line
}

fn from_base64(line: &[u8]) -> Result<Vec<u8>, Error> {
    let padding = line
        .iter()
        .rev()
        .take(2)
        .take_while(|sign| **sign == b'=')
        .count();
    if line.len() % 4 != 0 {
        return Err("the line is not base64: its length is no multiple of 4".into());
    }
    let mut data = Vec::with_capacity(line.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for sign in &line[..line.len() - padding] {
        let digit = match sign {
            b'A'..=b'Z' => sign - b'A',
            b'a'..=b'z' => sign - b'a' + 26,
            b'0'..=b'9' => sign - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err("the line is not base64: it has a foreign sign".into()),
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            data.push((bits >> held) as u8);
        }
    }
    Ok(data)
}

// ---------------------------------------------------------------------------- the conversation

/// Talks to the arena until it says bye or closes the pipe.
///
/// Standard output belongs to the arena: `eprintln!` your notes, they are kept for you.
pub fn run(name: &str, version: &str, bot: &mut impl Bot) {
    if let Err(error) = talk(name, version, bot) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn talk(name: &str, version: &str, bot: &mut impl Bot) -> Result<(), Error> {
    let mut out = io::stdout();
    for line in io::stdin().lock().split(b'\n') {
        let message = decode(&line?)?;
        let kind = message.text("type")?;
        let answer = match kind {
            "hello" => ready(&message, name, version)?,
            "pass" => {
                let cards = bot.choose_pass(&Question::from(&message)?);
                let cards = Value::List(cards.into_iter().map(Value::from).collect());
                map([
                    ("type", "cards".into()),
                    ("id", message.text("id")?.into()),
                    ("cards", cards),
                ])
            }
            "play" => {
                let card = bot.choose_card(&Question::from(&message)?);
                map([
                    ("type", "card".into()),
                    ("id", message.text("id")?.into()),
                    ("card", card.into()),
                ])
            }
            "bye" => break,
            _ => {
                bot.news(kind, &message);
                continue;
            }
        };
        writeln!(out, "{}", encode(&answer))?;
        out.flush()?;
    }
    Ok(())
}

fn ready(hello: &Value, name: &str, version: &str) -> Result<Value, Error> {
    Ok(map([
        ("type", "ready".into()),
        ("id", hello.text("id")?.into()),
        ("name", name.into()),
        ("version", version.into()),
        ("language", "Rust".into()),
    ]))
}

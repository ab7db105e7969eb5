// Everything a Go bot needs to talk to the arena, in one file, standard library only.
//
// Implement Bot and call Run. How to play well is not the business of this file.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"unicode/utf8"
)

// ---------------------------------------------------------------------------- what you write

// Bot is what you write.
type Bot interface {
	// ChoosePass returns which question.Count cards of question.Hand go to the left neighbour.
	ChoosePass(question *Question) []Card
	// ChooseCard returns which card of question.Legal is played.
	ChooseCard(question *Question) Card
}

// Listener is a Bot that wants the news, too: messages of type start, round_over, match_over.
type Listener interface {
	News(kind string, message Map)
}

// ---------------------------------------------------------------------------- what you are asked

// Question is what you are told. Lists of numbers have one for each seat; all count from 0.
type Question struct {
	Table, Round, Dealer int
	Players              int     // how many seats the table has
	Seat                 int     // yours; Seat + 1 is the left neighbour, who gets your pass and plays after you
	Hand                 []Card  // sorted S, H, D, C, P and by rank
	Scores               []int   // card points of the earlier rounds
	MoveMs, BankMs       int     // the time for this answer, and what is left for the match beyond that
	Events               []Event // since the last message

	// Only in ChoosePass.
	Count int

	// Only in ChooseCard.
	TrickNumber, Leader int
	PapayooSuit         byte // S, H, D or C
	Legal               []Card
	Trick               []Card // in play order, the leader's first; empty if you lead
	Received, Passed    []Card
	Points              []int // taken in this round so far
}

// Event is something that happened: passed, received, die (its card is the Papayoo), played or taken.
type Event struct {
	Event string
	Seat  int
	Cards []Card // of die and played just one
	By    string // about your own seat: bot, or stand_in if it was chosen for you after a fault
}

func newQuestion(message Map) (*Question, error) {
	m := fields{message: message}
	q := &Question{
		Table: m.number("table"), Round: m.number("round"), Dealer: m.number("dealer"), Seat: m.number("seat"),
		Hand: m.cards("hand"), Scores: m.numbers("scores"),
		MoveMs: m.number("move_ms"), BankMs: m.number("bank_ms"), Events: each(&m, "events", (*fields).event),
	}
	q.Players = len(q.Scores)
	if message.Get("type") == "pass" {
		q.Count = m.number("count")
		return q, m.err
	}
	q.TrickNumber, q.Leader = m.number("trick_number"), m.number("leader")
	if suit := m.text("papayoo_suit"); suit != "" {
		q.PapayooSuit = suit[0]
	}
	q.Legal, q.Trick = m.cards("legal"), m.cards("trick")
	q.Received, q.Passed = m.cards("received"), m.cards("passed")
	q.Points = m.numbers("points")
	return q, m.err
}

// ---------------------------------------------------------------------------- cards

// Payoo is the fifth suit.
const Payoo = 'P'

// Card is S7, H10, P20: suit S, H, D, C or P, and rank.
type Card struct {
	Suit byte
	Rank int
}

func (card Card) String() string { return fmt.Sprintf("%c%d", card.Suit, card.Rank) }

// Points is what the card costs its taker: a Payoo its rank, the 7 of papayooSuit 40, any other 0.
func (card Card) Points(papayooSuit byte) int {
	switch {
	case card.Suit == Payoo:
		return card.Rank
	case card.Suit == papayooSuit && card.Rank == 7:
		return 40
	}
	return 0
}

// Beats tells whether the card takes the trick from other, which was winning it.
func (card Card) Beats(other Card) bool { return card.Suit == other.Suit && card.Rank > other.Rank }

// Winner is the card that takes a trick, which must not be empty: the highest of the suit that was led.
func Winner(trick []Card) Card {
	best := trick[0]
	for _, card := range trick {
		if card.Beats(best) {
			best = card
		}
	}
	return best
}

// ---------------------------------------------------------------------------- messages

// Map is a message or a part of it. Values are nil, bool, int, string, []any and Map.
type Map []Pair

// Pair is a key of a Map with its value.
type Pair struct {
	Key   string
	Value any
}

// Get returns the value of a key, or nil.
func (m Map) Get(key string) any {
	for _, pair := range m {
		if pair.Key == key {
			return pair.Value
		}
	}
	return nil
}

// fields reads the values of a message; err is the first thing that was not as it should be.
type fields struct {
	message Map
	err     error
}

func get[T any](m *fields, key string) T {
	value, ok := m.message.Get(key).(T)
	if !ok && m.err == nil {
		m.err = fmt.Errorf("%s is not a %T", key, value)
	}
	return value
}

// each reads the values of a list with read, which is given the key of a map that holds just one of them.
func each[T any](m *fields, key string, read func(*fields, string) T) []T {
	var values []T
	for _, value := range get[[]any](m, key) {
		one := fields{message: Map{{key, value}}}
		values = append(values, read(&one, key))
		m.keep(one.err)
	}
	return values
}

func (m *fields) number(key string) int    { return get[int](m, key) }
func (m *fields) text(key string) string   { return get[string](m, key) }
func (m *fields) numbers(key string) []int { return each(m, key, (*fields).number) }
func (m *fields) cards(key string) []Card  { return each(m, key, (*fields).card) }

func (m *fields) card(key string) Card {
	name := m.text(key)
	if len(name) < 2 {
		m.keep(fmt.Errorf("%s: %q is no card", key, name))
		return Card{}
	}
	rank, err := strconv.Atoi(name[1:])
	m.keep(err)
	return Card{name[0], rank}
}

func (m *fields) event(key string) Event {
	one := fields{message: get[Map](m, key)}
	event := Event{Event: one.text("event"), Seat: one.number("seat")}
	if one.message.Get("card") != nil {
		event.Cards = []Card{one.card("card")}
	} else {
		event.Cards = one.cards("cards")
	}
	event.By, _ = one.message.Get("by").(string)
	m.keep(one.err)
	return event
}

func (m *fields) keep(err error) {
	if m.err == nil {
		m.err = err
	}
}

// ---------------------------------------------------------------------------- the wire
// One message is one line: base64(msgpack map) "\n". Of msgpack the protocol uses nil, bool, int,
// str, array and map. A number or a length that does not fit into the first byte follows it.

const (
	maxInt   = 1<<53 - 1
	maxDepth = 8
	maxItems = 1024
	maxKeys  = 64
)

// Decode returns the message in a line, with or without its end. It refuses whatever protocol 1 does.
func Decode(line []byte) (Map, error) {
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	if bytes.ContainsAny(line, "\r\n") { // which package base64 would pass over
		return nil, errors.New("the line is not base64")
	}
	data := make([]byte, base64.StdEncoding.DecodedLen(len(line)))
	size, err := base64.StdEncoding.Decode(data, line)
	if err != nil {
		return nil, err
	}
	r := reader{data: data[:size]}
	message, ok := r.value(1).(Map)
	if r.err == nil && (!ok || len(r.data) > 0) {
		r.fail("a message is exactly one map")
	}
	return message, r.err
}

// Encode returns the line that carries a message, newline included.
func Encode(message Map) []byte {
	data := appendValue(nil, message)
	line := make([]byte, base64.StdEncoding.EncodedLen(len(data)), base64.StdEncoding.EncodedLen(len(data))+1)
	base64.StdEncoding.Encode(line, data)
	return append(line, '\n')
}

// reader takes values off data until err, which ends it, happens.
type reader struct {
	data []byte
	err  error
}

func (r *reader) fail(why string) {
	if r.err == nil {
		r.err = errors.New(why)
	}
	r.data = nil
}

func (r *reader) take(size int) []byte {
	if size > len(r.data) {
		r.fail("the message ends too early")
		return nil
	}
	taken := r.data[:size]
	r.data = r.data[size:]
	return taken
}

// number takes an unsigned number of that many bytes, most significant first.
func (r *reader) number(size int) uint64 {
	var eight [8]byte
	copy(eight[8-size:], r.take(size))
	return binary.BigEndian.Uint64(eight[:])
}

// value takes the next value. depth is how deep it would be as a list or map; a message is 1.
func (r *reader) value(depth int) any {
	first := r.take(1)
	if r.err != nil {
		return nil
	}
	kind := int(first[0])
	switch {
	case kind < 0x80:
		return kind
	case kind < 0x90:
		return r.mapping(kind-0x80, depth)
	case kind < 0xa0:
		return r.list(kind-0x90, depth)
	case kind < 0xc0:
		return r.text(kind - 0xa0)
	case kind == 0xc0:
		return nil
	case kind == 0xc2 || kind == 0xc3:
		return kind == 0xc3
	case kind >= 0xcc && kind <= 0xcf:
		return r.integer(r.number(1 << (kind - 0xcc)))
	case kind >= 0xd0 && kind <= 0xd3:
		size := 1 << (kind - 0xd0)
		unused := 64 - 8*size // there and back again extends the sign
		number := int64(r.number(size)<<unused) >> unused
		if number < 0 {
			return -r.integer(uint64(-number))
		}
		return r.integer(uint64(number))
	case kind >= 0xd9 && kind <= 0xdb:
		return r.text(int(r.number(1 << (kind - 0xd9))))
	case kind == 0xdc || kind == 0xdd:
		return r.list(int(r.number(2<<(kind-0xdc))), depth)
	case kind == 0xde || kind == 0xdf:
		return r.mapping(int(r.number(2<<(kind-0xde))), depth)
	case kind >= 0xe0:
		return kind - 0x100
	}
	r.fail(fmt.Sprintf("msgpack type %#02x is not part of the protocol", kind))
	return nil
}

// integer checks the size of a number, which may have a sign before it.
func (r *reader) integer(number uint64) int {
	if number > maxInt {
		r.fail("an integer is 2^53 or more in size")
	}
	return int(number)
}

func (r *reader) text(size int) string {
	text := r.take(size)
	if !utf8.Valid(text) {
		r.fail("a text is not UTF-8")
	}
	return string(text)
}

func (r *reader) list(size, depth int) []any {
	if size > maxItems || depth > maxDepth {
		r.fail("a list is too long, or nested too deep")
	}
	list := []any{}
	for ; size > 0 && r.err == nil; size-- {
		list = append(list, r.value(depth+1))
	}
	return list
}

func (r *reader) mapping(size, depth int) Map {
	if size > maxKeys || depth > maxDepth {
		r.fail("a map is too large, or nested too deep")
	}
	message, known := Map{}, map[string]bool{}
	for ; size > 0 && r.err == nil; size-- {
		key, ok := r.value(depth + 1).(string)
		if !ok || known[key] {
			r.fail("a key is no text, or comes twice")
		}
		known[key] = true
		message = append(message, Pair{key, r.value(depth + 1)})
	}
	return message
}

func appendValue(data []byte, value any) []byte {
	switch value := value.(type) {
	case nil:
		return append(data, 0xc0)
	case bool:
		if value {
			return append(data, 0xc3)
		}
		return append(data, 0xc2)
	case int:
		return appendInt(data, value)
	case string:
		if len(value) >= 32 && len(value) < 256 {
			return append(append(data, 0xd9, byte(len(value))), value...)
		}
		return append(appendSize(data, len(value), 0xa0, 32, 0xda), value...)
	case []any:
		data = appendSize(data, len(value), 0x90, 16, 0xdc)
		for _, item := range value {
			data = appendValue(data, item)
		}
		return data
	case Map:
		data = appendSize(data, len(value), 0x80, 16, 0xde)
		for _, pair := range value {
			data = appendValue(appendValue(data, pair.Key), pair.Value)
		}
		return data
	}
	panic(fmt.Sprintf("a message cannot hold a %T", value))
}

// appendSize begins a text, list or map: its size in the first byte if below limit, else in 2 or 4 after it.
func appendSize(data []byte, size, first, limit int, kind byte) []byte {
	switch {
	case size < limit:
		return append(data, byte(first+size))
	case size <= 0xffff:
		return binary.BigEndian.AppendUint16(append(data, kind), uint16(size))
	}
	return binary.BigEndian.AppendUint32(append(data, kind+1), uint32(size))
}

func appendInt(data []byte, n int) []byte {
	switch {
	case n >= -32 && n < 0x80:
		return append(data, byte(n))
	case n >= 0 && n <= 0xff:
		return append(data, 0xcc, byte(n))
	case n >= 0 && n <= 0xffff:
		return binary.BigEndian.AppendUint16(append(data, 0xcd), uint16(n))
	case n >= 0 && n <= 0xffffffff:
		return binary.BigEndian.AppendUint32(append(data, 0xce), uint32(n))
	case n >= 0:
		return binary.BigEndian.AppendUint64(append(data, 0xcf), uint64(n))
	case n >= -0x80:
		return append(data, 0xd0, byte(n))
	case n >= -0x8000:
		return binary.BigEndian.AppendUint16(append(data, 0xd1), uint16(n))
	case n >= -0x80000000:
		return binary.BigEndian.AppendUint32(append(data, 0xd2), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(data, 0xd3), uint64(n))
}

// ---------------------------------------------------------------------------- the conversation

// Run talks to the arena until it says bye or closes the pipe.
//
// Standard output belongs to the arena: what the bot prints goes to standard error, which is kept for you.
func Run(name, version string, bot Bot) {
	input, output := bufio.NewReader(os.Stdin), os.Stdout
	os.Stdout = os.Stderr
	for {
		line, err := input.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		exitOn(err)
		message, err := Decode(line)
		exitOn(err)
		kind, _ := message.Get("type").(string)
		if kind == "bye" {
			return
		}
		answer, err := answer(kind, message, name, version, bot)
		exitOn(err)
		if answer != nil {
			_, err = output.Write(Encode(answer)) // unbuffered, so there is nothing to flush
			exitOn(err)
		}
	}
}

// answer is nil for news, which nobody waits for.
func answer(kind string, message Map, name, version string, bot Bot) (Map, error) {
	id := Pair{"id", message.Get("id")}
	switch kind {
	case "hello":
		return Map{{"type", "ready"}, id, {"name", name}, {"version", version}, {"language", "Go"}}, nil
	case "pass", "play":
		question, err := newQuestion(message)
		if err != nil {
			return nil, err
		}
		if kind == "play" {
			return Map{{"type", "card"}, id, {"card", bot.ChooseCard(question).String()}}, nil
		}
		cards := []any{}
		for _, card := range bot.ChoosePass(question) {
			cards = append(cards, card.String())
		}
		return Map{{"type", "cards"}, id, {"cards", cards}}, nil
	}
	if listener, ok := bot.(Listener); ok {
		listener.News(kind, message)
	}
	return nil, nil
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

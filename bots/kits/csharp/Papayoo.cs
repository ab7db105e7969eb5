// Everything a C# bot needs to talk to the arena, in one file, without packages, for Mono or .NET.
//
// Derive from Player and call Arena.Run. How to play well is not the business of this file.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace Papayoo
{
    /// <summary>What you write.</summary>
    public abstract class Player
    {
        /// <summary>Which question.Count cards of question.Hand go to the left neighbour?</summary>
        public abstract IEnumerable<Card> ChoosePass(Question question);

        /// <summary>Which card of question.Legal do you play?</summary>
        public abstract Card ChooseCard(Question question);

        /// <summary>News that need no answer, by the type of the message: start, round_over, match_over.</summary>
        public virtual void News(string kind, Message message) { }
    }

    // ------------------------------------------------------------------------ what you are asked

    /// <summary>A question. Lists of numbers have one for each seat; seats, rounds and tricks count from 0.</summary>
    public sealed class Question
    {
        public readonly int Table, Round, Dealer;
        public readonly int Players; // how many seats the table has
        public readonly int Seat; // yours; Seat + 1 is the left neighbour, who gets your pass and plays after you
        public readonly List<Card> Hand; // sorted S, H, D, C, P and by rank
        public readonly List<int> Scores; // card points of the earlier rounds
        public readonly int MoveMs, BankMs; // the time for this answer, and what is left for the match beyond that
        public readonly List<Event> Events; // since the last message

        // only in ChoosePass
        public readonly int Count;

        // only in ChooseCard
        public readonly int TrickNumber, Leader;
        public readonly char PapayooSuit; // S, H, D or C
        public readonly List<Card> Legal;
        public readonly List<Card> Trick; // in play order, the leader's first; empty if you lead
        public readonly List<Card> Received, Passed;
        public readonly List<int> Points; // taken in this round so far

        internal Question(Message message)
        {
            Table = message.Int("table");
            Round = message.Int("round");
            Dealer = message.Int("dealer");
            Seat = message.Int("seat");
            Hand = message.Cards("hand");
            Scores = message.Ints("scores");
            Players = Scores.Count;
            MoveMs = message.Int("move_ms");
            BankMs = message.Int("bank_ms");
            Events = message.Events("events");
            if (message.Text("type") == "pass")
            {
                Count = message.Int("count");
                return;
            }
            TrickNumber = message.Int("trick_number");
            Leader = message.Int("leader");
            PapayooSuit = message.Text("papayoo_suit")[0];
            Legal = message.Cards("legal");
            Trick = message.Cards("trick");
            Received = message.Cards("received");
            Passed = message.Cards("passed");
            Points = message.Ints("points");
        }
    }

    /// <summary>What happened: passed, received, die (its card is the Papayoo), played or taken.</summary>
    public sealed class Event
    {
        public readonly string Kind;
        public readonly int Seat;
        public readonly List<Card> Cards; // of die and played just one
        public readonly string By; // about your own seat: bot, or stand_in if it was chosen for you after a fault

        internal Event(Message message)
        {
            Kind = message.Text("event");
            Seat = message.Int("seat");
            Cards = message.ContainsKey("card")
                ? new List<Card> { Card.Of(message.Text("card")) }
                : message.Cards("cards");
            By = message.ContainsKey("by") ? message.Text("by") : "";
        }
    }

    // ------------------------------------------------------------------------ cards

    /// <summary>S7, H10, P20: suit S, H, D, C or P, and rank.</summary>
    public struct Card
    {
        public const char Payoo = 'P';

        public readonly char Suit;
        public readonly int Rank;

        public Card(char suit, int rank)
        {
            Suit = suit;
            Rank = rank;
        }

        public static Card Of(string name) => new Card(name[0], int.Parse(name.Substring(1)));

        /// <summary>What it costs its taker: a Payoo its rank, the 7 of papayooSuit 40, any other 0.</summary>
        public int Points(char papayooSuit) => Suit == Payoo ? Rank : Suit == papayooSuit && Rank == 7 ? 40 : 0;

        /// <summary>Whether it takes the trick from another, which was winning it.</summary>
        public bool Beats(Card other) => Suit == other.Suit && Rank > other.Rank;

        public override string ToString() => Suit + Rank.ToString();
    }

    public static class Cards
    {
        /// <summary>The card that takes a trick: the highest of the suit led. null if no card lies there.</summary>
        public static Card? Winner(List<Card> trick)
        {
            if (trick.Count == 0) return null;
            return trick.Aggregate((best, card) => card.Beats(best) ? card : best);
        }
    }

    // ------------------------------------------------------------------------ messages

    /// <summary>A message or a part of it. Values are null, bool, long, string, List of these, and Message.</summary>
    public sealed class Message : Dictionary<string, object>
    {
        public long Long(string key) => (long)this[key];
        public int Int(string key) => checked((int)Long(key));
        public string Text(string key) => (string)this[key];
        public List<object> List(string key) => (List<object>)this[key];
        public List<int> Ints(string key) => List(key).ConvertAll(value => checked((int)(long)value));
        public List<Card> Cards(string key) => List(key).ConvertAll(value => Card.Of((string)value));
        public List<Event> Events(string key) => List(key).ConvertAll(value => new Event((Message)value));
    }

    // ------------------------------------------------------------------------ the wire
    // One message is one line: base64(msgpack map) "\n". Of msgpack the protocol uses nil, bool, int,
    // str, array and map. A number or a length that does not fit into the first byte follows it.

    public static class Wire
    {
        private static readonly Regex Base64 = new Regex(@"^[A-Za-z0-9+/]*={0,2}\z");

        /// <summary>
        /// The message in a line, with or without its end; FormatException for whatever protocol 1 refuses.
        /// </summary>
        public static Message Decode(string line)
        {
            if (line.EndsWith("\n", StringComparison.Ordinal)) line = line.Substring(0, line.Length - 1);
            if (line.EndsWith("\r", StringComparison.Ordinal)) line = line.Substring(0, line.Length - 1);
            if (!Base64.IsMatch(line)) throw new FormatException("the line is not base64");
            var reader = new Reader(Convert.FromBase64String(line));
            var message = reader.Value(1) as Message;
            if (message == null || !reader.AtEnd)
                throw new FormatException("a message is exactly one map");
            return message;
        }

        /// <summary>The line that carries a message, without its newline; keys in the order given.</summary>
        public static string Encode(ICollection<KeyValuePair<string, object>> message)
        {
            var output = new MemoryStream();
            Write(output, message);
            return Convert.ToBase64String(output.ToArray());
        }

        private static void Write(Stream output, object value)
        {
            var map = value as ICollection<KeyValuePair<string, object>>;
            var list = value as List<object>;
            if (value == null) output.WriteByte(0xc0);
            else if (value is bool) output.WriteByte((byte)((bool)value ? 0xc3 : 0xc2));
            else if (value is long) WriteInt(output, (long)value);
            else if (value is string) WriteText(output, Encoding.UTF8.GetBytes((string)value));
            else if (list != null)
            {
                WriteSize(output, list.Count, 0x90, 16, 0xdc);
                foreach (var item in list) Write(output, item);
            }
            else if (map != null)
            {
                WriteSize(output, map.Count, 0x80, 16, 0xde);
                foreach (var pair in map)
                {
                    Write(output, pair.Key);
                    Write(output, pair.Value);
                }
            }
            else throw new ArgumentException("a message cannot hold a " + value.GetType());
        }

        private static void WriteText(Stream output, byte[] text)
        {
            if (text.Length >= 32 && text.Length < 256)
            {
                output.WriteByte(0xd9);
                WriteNumber(output, text.Length, 1);
            }
            else
            {
                WriteSize(output, text.Length, 0xa0, 32, 0xda);
            }
            output.Write(text, 0, text.Length);
        }

        /// <summary>A size in the first byte if it is below limit, else in 2 or 4 bytes after it.</summary>
        private static void WriteSize(Stream output, int size, int first, int limit, int kind)
        {
            if (size < limit)
            {
                output.WriteByte((byte)(first + size));
                return;
            }
            var wide = size > 0xffff;
            output.WriteByte((byte)(wide ? kind + 1 : kind));
            WriteNumber(output, size, wide ? 4 : 2);
        }

        private static void WriteInt(Stream output, long number)
        {
            if (number >= -32 && number < 0x80)
            {
                output.WriteByte((byte)number);
                return;
            }
            var bits = number < 0 ? 2 * ~number : number; // with room for the sign
            var width = bits <= 0xff ? 0 : bits <= 0xffff ? 1 : bits <= 0xffffffff ? 2 : 3;
            output.WriteByte((byte)((number < 0 ? 0xd0 : 0xcc) + width));
            WriteNumber(output, number, 1 << width);
        }

        /// <summary>A number in that many bytes, most significant first.</summary>
        private static void WriteNumber(Stream output, long number, int bytes)
        {
            for (var shift = 8 * bytes - 8; shift >= 0; shift -= 8) output.WriteByte((byte)(number >> shift));
        }
    }

    /// <summary>Takes values off msgpack bytes, one after the other.</summary>
    internal sealed class Reader
    {
        private const long MaxInt = (1L << 53) - 1;
        private const int MaxDepth = 8, MaxItems = 1024, MaxKeys = 64;
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        private readonly byte[] data;
        private int at;

        public Reader(byte[] data)
        {
            this.data = data;
        }

        public bool AtEnd => at == data.Length;

        /// <summary>The next value. depth is how deep it would be as a list or map; a message is 1.</summary>
        public object Value(int depth)
        {
            var kind = (int)Number(1);
            if (kind < 0x80) return (long)kind;
            if (kind < 0x90) return Map(kind - 0x80, depth);
            if (kind < 0xa0) return List(kind - 0x90, depth);
            if (kind < 0xc0) return Text(kind - 0xa0);
            if (kind == 0xc0) return null;
            if (kind == 0xc2 || kind == 0xc3) return kind == 0xc3;
            if (kind >= 0xcc && kind <= 0xcf) return Int(1 << kind - 0xcc, false);
            if (kind >= 0xd0 && kind <= 0xd3) return Int(1 << kind - 0xd0, true);
            if (kind >= 0xd9 && kind <= 0xdb) return Text(Number(1 << kind - 0xd9));
            if (kind == 0xdc || kind == 0xdd) return List(Number(2 << kind - 0xdc), depth);
            if (kind == 0xde || kind == 0xdf) return Map(Number(2 << kind - 0xde), depth);
            if (kind >= 0xe0) return kind - 0x100L;
            throw new FormatException($"msgpack type 0x{kind:x2} is not part of the protocol");
        }

        private int Take(long size)
        {
            if (size > data.Length - at) throw new FormatException("the message ends too early");
            at += (int)size;
            return at - (int)size;
        }

        /// <summary>A number of that many bytes, most significant first; no sign unless it has eight.</summary>
        private long Number(int bytes)
        {
            var start = Take(bytes);
            long number = 0;
            for (var i = 0; i < bytes; i++) number = number << 8 | data[start + i];
            return number;
        }

        private long Int(int bytes, bool signed)
        {
            var unused = signed ? 64 - 8 * bytes : 0; // there and back again extends the sign
            var number = Number(bytes) << unused >> unused;
            var least = signed ? -MaxInt : 0; // eight bytes without a sign may have become negative
            if (number < least || number > MaxInt)
                throw new FormatException("an integer is 2^53 or more in size");
            return number;
        }

        private string Text(long size)
        {
            var start = Take(size);
            try
            {
                return Strict.GetString(data, start, (int)size);
            }
            catch (ArgumentException error)
            {
                throw new FormatException("a text is not UTF-8", error);
            }
        }

        private List<object> List(long size, int depth)
        {
            if (size > MaxItems || depth > MaxDepth)
                throw new FormatException("a list is too long, or nested too deep");
            var list = new List<object>();
            for (var i = 0; i < size; i++) list.Add(Value(depth + 1));
            return list;
        }

        private Message Map(long size, int depth)
        {
            if (size > MaxKeys || depth > MaxDepth)
                throw new FormatException("a map is too large, or nested too deep");
            var map = new Message();
            for (var i = 0; i < size; i++)
            {
                var key = Value(depth + 1) as string;
                if (key == null || map.ContainsKey(key))
                    throw new FormatException("a key is no text, or comes twice");
                map.Add(key, Value(depth + 1));
            }
            return map;
        }
    }

    // ------------------------------------------------------------------------ the conversation

    public static class Arena
    {
        /// <summary>Talk to the arena until it says bye or closes the pipe; the exit code for Main.</summary>
        /// <remarks>
        /// Standard output belongs to the arena: what the bot prints goes to standard error, which is kept for you.
        /// </remarks>
        public static int Run(string name, string version, Player player)
        {
            var input = new StreamReader(Console.OpenStandardInput(), Encoding.ASCII);
            var output = new StreamWriter(Console.OpenStandardOutput(), Encoding.ASCII);
            Console.SetOut(Console.Error);
            for (var line = input.ReadLine(); line != null; line = input.ReadLine())
            {
                Message message;
                try
                {
                    message = Wire.Decode(line);
                }
                catch (FormatException error)
                {
                    Console.Error.WriteLine(error.Message);
                    return 1;
                }
                if (message.Text("type") == "bye") break;
                var answer = Answer(message, name, version, player);
                if (answer == null) continue;
                output.Write(Wire.Encode(answer) + "\n");
                output.Flush();
            }
            return 0;
        }

        /// <summary>The answer to a message, null if it needs none.</summary>
        private static List<KeyValuePair<string, object>> Answer(
            Message message, string name, string version, Player player)
        {
            var kind = message.Text("type");
            switch (kind)
            {
                case "hello":
                    return Pairs(
                        "type", "ready", "id", message["id"], "name", name, "version", version, "language", "C#");
                case "pass":
                    var cards = player.ChoosePass(new Question(message)).Select(card => (object)card.ToString());
                    return Pairs("type", "cards", "id", message["id"], "cards", cards.ToList());
                case "play":
                    var played = player.ChooseCard(new Question(message)).ToString();
                    return Pairs("type", "card", "id", message["id"], "card", played);
                default:
                    player.News(kind, message);
                    return null;
            }
        }

        /// <summary>A map, its keys in this order: a key, its value, a key, its value ...</summary>
        private static List<KeyValuePair<string, object>> Pairs(params object[] both)
        {
            var pairs = new List<KeyValuePair<string, object>>();
            for (var i = 0; i < both.Length; i += 2)
                pairs.Add(new KeyValuePair<string, object>((string)both[i], both[i + 1]));
            return pairs;
        }
    }
}

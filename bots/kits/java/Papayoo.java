import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything a Java bot needs to talk to the arena, in one file, without libraries.
 *
 * <p>Implement {@link Player} and call {@link #run}. How to play well is not the business of this file.
 */
public final class Papayoo {
    private Papayoo() {}

    /** What you write. */
    public interface Player {
        /** Which {@code question.count} cards of {@code question.hand} go to the left neighbour? */
        List<Card> choosePass(Question question);

        /** Which card of {@code question.legal} do you play? */
        Card chooseCard(Question question);

        /** News that need no answer, by the type of the message: start, round_over, match_over. */
        default void news(String kind, Message message) {}
    }

    // ------------------------------------------------------------------------ what you are asked

    /** A question. Lists of numbers have one for each seat; seats, rounds and tricks count from 0. */
    public static final class Question {
        public final int table;
        public final int round;
        public final int dealer;
        public final int players; // how many seats the table has
        public final int seat; // yours; seat + 1 is the left neighbour, who gets your pass and plays after you
        public final List<Card> hand; // sorted S, H, D, C, P and by rank
        public final List<Integer> scores; // card points of the earlier rounds
        public final int moveMs;
        public final int bankMs;
        public final List<Event> events; // since the last message

        // only in choosePass
        public final int count;

        // only in chooseCard
        public final int trickNumber;
        public final int leader;
        public final char papayooSuit; // S, H, D or C
        public final List<Card> legal;
        public final List<Card> trick; // in play order, the leader's first; empty if you lead
        public final List<Card> received;
        public final List<Card> passed;
        public final List<Integer> points; // taken in this round so far

        private Question(Message message) {
            table = message.integer("table");
            round = message.integer("round");
            dealer = message.integer("dealer");
            seat = message.integer("seat");
            hand = message.cards("hand");
            scores = message.integers("scores");
            players = scores.size();
            moveMs = message.integer("move_ms");
            bankMs = message.integer("bank_ms");
            events = message.events("events");
            boolean play = message.text("type").equals("play");
            count = play ? 0 : message.integer("count");
            trickNumber = play ? message.integer("trick_number") : 0;
            leader = play ? message.integer("leader") : 0;
            papayooSuit = play ? message.text("papayoo_suit").charAt(0) : 0;
            legal = play ? message.cards("legal") : List.of();
            trick = play ? message.cards("trick") : List.of();
            received = play ? message.cards("received") : List.of();
            passed = play ? message.cards("passed") : List.of();
            points = play ? message.integers("points") : List.of();
        }
    }

    /**
     * Something that happened: passed, received, die (its card is the Papayoo), played or taken.
     *
     * @param cards of die and played just one
     * @param by about your own seat: bot, or stand_in if it was chosen for you after a fault; else empty
     */
    public record Event(String event, int seat, List<Card> cards, String by) {
        public static Event of(Message event) {
            List<Card> cards =
                event.has("card") ? List.of(Card.of(event.text("card"))) : event.cards("cards");
            return new Event(
                event.text("event"), event.integer("seat"), cards, event.has("by") ? event.text("by") : "");
        }
    }

    // ------------------------------------------------------------------------ cards

    public static final char PAYOO = 'P';

    /** S7, H10, P20: suit S, H, D, C or P, and rank. */
    public record Card(char suit, int rank) {
        public static Card of(String name) {
            return new Card(name.charAt(0), Integer.parseInt(name.substring(1)));
        }

        /** What it costs its taker: a Payoo its rank, the 7 of {@code papayooSuit} 40, any other 0. */
        public int points(char papayooSuit) {
            return suit == PAYOO ? rank : suit == papayooSuit && rank == 7 ? 40 : 0;
        }

        /** Whether it takes the trick from {@code other}, which was winning it. */
        public boolean beats(Card other) {
            return suit == other.suit && rank > other.rank;
        }

        @Override
        public String toString() {
            return Character.toString(suit).concat(Integer.toString(rank));
        }
    }

    /** From the lowest rank to the highest. Not a lambda: the first of those costs 20 ms, of the first move. */
    public static final Comparator<Card> BY_RANK = new Comparator<>() {
        @Override
        public int compare(Card one, Card other) {
            return Integer.compare(one.rank, other.rank);
        }
    };

    /** The card that takes a trick: the highest of the suit that was led. null if no card lies there. */
    public static Card winner(List<Card> trick) {
        Card best = null;
        for (Card card : trick) {
            if (best == null || card.beats(best)) best = card;
        }
        return best;
    }

    // ------------------------------------------------------------------------ messages

    /** A message or a part of it. Values are null, Boolean, Long, String, List and Map. */
    public record Message(Map<String, Object> values) {
        public boolean has(String key) {
            return values.get(key) != null;
        }

        public long number(String key) {
            return (Long) values.get(key);
        }

        public int integer(String key) {
            return Math.toIntExact(number(key));
        }

        public String text(String key) {
            return (String) values.get(key);
        }

        public List<?> list(String key) {
            return (List<?>) values.get(key);
        }

        public List<Integer> integers(String key) {
            List<Integer> numbers = new ArrayList<>();
            for (Object value : list(key)) numbers.add(Math.toIntExact((Long) value));
            return numbers;
        }

        public List<Card> cards(String key) {
            List<Card> cards = new ArrayList<>();
            for (Object value : list(key)) cards.add(Card.of((String) value));
            return cards;
        }

        @SuppressWarnings("unchecked") // readMap makes no other
        public List<Event> events(String key) {
            List<Event> events = new ArrayList<>();
            for (Object value : list(key)) events.add(Event.of(new Message((Map<String, Object>) value)));
            return events;
        }
    }

    // ------------------------------------------------------------------------ the wire
    // One message is one line: base64(msgpack map) "\n". Of msgpack the protocol uses nil, bool, int,
    // str, array and map. A number or a length that does not fit into the first byte follows it.

    private static final long MAX_INT = (1L << 53) - 1;
    private static final int MAX_DEPTH = 8;
    private static final int MAX_ITEMS = 1024;
    private static final int MAX_KEYS = 64;

    /**
     * The message in a line, with or without its end; its bytes are the characters of {@code line}.
     *
     * @throws IOException for whatever protocol 1 refuses
     */
    public static Message decode(String line) throws IOException {
        String text = line.replaceFirst("\r?\n?\\z", "");
        check(text.length() % 4 == 0, "the line is not base64: its length is no multiple of 4");
        try {
            ByteBuffer data = ByteBuffer.wrap(Base64.getDecoder().decode(text));
            Object message = read(data, 1);
            check(message instanceof Map && !data.hasRemaining(), "a message is exactly one map");
            @SuppressWarnings("unchecked") // readMap makes no other
            Map<String, Object> values = (Map<String, Object>) message;
            return new Message(values);
        } catch (IllegalArgumentException error) {
            throw new IOException("the line is not base64", error);
        } catch (BufferUnderflowException error) {
            throw new IOException("the message ends too early", error);
        }
    }

    /** The line that carries a message, without its newline; keys in the order of the map. */
    public static String encode(Map<String, ?> message) throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        write(new DataOutputStream(data), message);
        return Base64.getEncoder().encodeToString(data.toByteArray());
    }

    private static void check(boolean right, String why) throws IOException {
        if (!right) throw new IOException(why);
    }

    /** The next value. {@code depth} is how deep it would be as a list or map; a message is 1. */
    private static Object read(ByteBuffer data, int depth) throws IOException {
        int kind = Byte.toUnsignedInt(data.get());
        if (kind < 0x80) return (long) kind;
        if (kind < 0x90) return readMap(data, kind - 0x80, depth);
        if (kind < 0xa0) return readList(data, kind - 0x90, depth);
        if (kind < 0xc0) return readText(data, kind - 0xa0);
        if (kind == 0xc0) return null;
        if (kind == 0xc2 || kind == 0xc3) return kind == 0xc3;
        if (kind >= 0xcc && kind <= 0xcf) return readInt(data, 1 << kind - 0xcc, false);
        if (kind >= 0xd0 && kind <= 0xd3) return readInt(data, 1 << kind - 0xd0, true);
        if (kind >= 0xd9 && kind <= 0xdb) return readText(data, bigEndian(data, 1 << kind - 0xd9));
        if (kind == 0xdc || kind == 0xdd) return readList(data, bigEndian(data, 2 << kind - 0xdc), depth);
        if (kind == 0xde || kind == 0xdf) return readMap(data, bigEndian(data, 2 << kind - 0xde), depth);
        if (kind >= 0xe0) return (long) kind - 0x100;
        throw new IOException("msgpack type 0x%02x is not part of the protocol".formatted(kind));
    }

    /** A number of that many bytes, most significant first; it has no sign unless it has eight. */
    private static long bigEndian(ByteBuffer data, int bytes) {
        long number = 0;
        for (int i = 0; i < bytes; i++) number = number << 8 | Byte.toUnsignedLong(data.get());
        return number;
    }

    private static long readInt(ByteBuffer data, int bytes, boolean signed) throws IOException {
        int unused = signed ? 64 - 8 * bytes : 0; // there and back again extends the sign
        long number = bigEndian(data, bytes) << unused >> unused;
        long least = signed ? -MAX_INT : 0; // eight bytes without a sign may have become negative
        check(least <= number && number <= MAX_INT, "an integer is 2^53 or more in size");
        return number;
    }

    private static String readText(ByteBuffer data, long size) throws IOException {
        check(size <= data.remaining(), "the message ends too early");
        ByteBuffer text = data.slice(data.position(), (int) size);
        data.position(data.position() + (int) size);
        return StandardCharsets.UTF_8.newDecoder().decode(text).toString(); // strict, unlike new String
    }

    private static List<Object> readList(ByteBuffer data, long size, int depth) throws IOException {
        check(size <= MAX_ITEMS && depth <= MAX_DEPTH, "a list is too long, or nested too deep");
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) list.add(read(data, depth + 1));
        return list;
    }

    private static Map<String, Object> readMap(ByteBuffer data, long size, int depth) throws IOException {
        check(size <= MAX_KEYS && depth <= MAX_DEPTH, "a map is too large, or nested too deep");
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            if (!(read(data, depth + 1) instanceof String key)) throw new IOException("a key is no text");
            check(!map.containsKey(key), "a key comes twice");
            map.put(key, read(data, depth + 1));
        }
        return map;
    }

    private static void write(DataOutputStream out, Object value) throws IOException {
        if (value == null) {
            out.write(0xc0);
        } else if (value instanceof Boolean truth) {
            out.write(truth ? 0xc3 : 0xc2);
        } else if (value instanceof Number number) {
            writeInt(out, number.longValue());
        } else if (value instanceof List<?> list) {
            writeSize(out, list.size(), 0x90, 16, 0xdc);
            for (Object item : list) write(out, item);
        } else if (value instanceof Map<?, ?> map) {
            writeSize(out, map.size(), 0x80, 16, 0xde);
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                write(out, entry.getKey());
                write(out, entry.getValue());
            }
        } else { // a text or a card
            byte[] text = value.toString().getBytes(StandardCharsets.UTF_8);
            if (text.length >= 32 && text.length < 256) {
                out.write(0xd9);
                out.write(text.length);
            } else {
                writeSize(out, text.length, 0xa0, 32, 0xda);
            }
            out.write(text);
        }
    }

    /** A size in the first byte if it is below {@code limit}, else in 2 or 4 bytes after it. */
    private static void writeSize(DataOutputStream out, int size, int first, int limit, int kind)
            throws IOException {
        if (size < limit) {
            out.write(first + size);
        } else if (size <= 0xffff) {
            out.write(kind);
            out.writeShort(size);
        } else {
            out.write(kind + 1);
            out.writeInt(size);
        }
    }

    private static void writeInt(DataOutputStream out, long number) throws IOException {
        if (number >= -32 && number < 0x80) {
            out.write((int) number);
            return;
        }
        long bits = number < 0 ? 2 * ~number : number; // with room for the sign
        int width = bits <= 0xff ? 0 : bits <= 0xffff ? 1 : bits <= 0xffffffffL ? 2 : 3;
        out.write((number < 0 ? 0xd0 : 0xcc) + width);
        switch (width) {
            case 0 -> out.write((int) number);
            case 1 -> out.writeShort((int) number);
            case 2 -> out.writeInt((int) number);
            default -> out.writeLong(number);
        }
    }

    // ------------------------------------------------------------------------ the conversation

    /**
     * Talks to the arena until it says bye or closes the pipe.
     *
     * <p>Standard output belongs to the arena: what the bot prints goes to standard error, which is kept for you.
     */
    public static void run(String name, String version, Player player) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err);
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Message message = decode(line);
            String kind = message.text("type");
            if (kind.equals("bye")) return;
            Map<String, Object> answer = new LinkedHashMap<>(); // which keeps the order of its keys
            switch (kind) {
                case "hello" -> {
                    answer.put("type", "ready");
                    answer.put("id", message.text("id"));
                    answer.put("name", name);
                    answer.put("version", version);
                    answer.put("language", "Java");
                }
                case "pass" -> {
                    answer.put("type", "cards");
                    answer.put("id", message.text("id"));
                    answer.put("cards", player.choosePass(new Question(message)));
                }
                case "play" -> {
                    answer.put("type", "card");
                    answer.put("id", message.text("id"));
                    answer.put("card", player.chooseCard(new Question(message)));
                }
                default -> {
                    player.news(kind, message);
                    continue;
                }
            }
            out.println(encode(answer));
            out.flush();
        }
    }
}

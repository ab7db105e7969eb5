import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plays the first legal card, and passes the first cards. The msgpack of the protocol, and no more. */
public final class Bot {
    private static ByteBuffer data;

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(System.out, true, "US-ASCII");
        for (String line; (line = in.readLine()) != null; ) {
            data = ByteBuffer.wrap(Base64.getDecoder().decode(line));
            Map<?, ?> message = (Map<?, ?>) value();
            byte[] answer = answer(message);
            if (answer != null) {
                out.print(Base64.getEncoder().encodeToString(answer) + "\n");
                out.flush();
            }
        }
    }

    private static byte[] answer(Map<?, ?> message) {
        String id = (String) message.get("id");
        switch ((String) message.get("type")) {
            case "hello":
                return map("type", "ready", "id", id, "name", "Java", "version", "1");
            case "pass":
                int count = ((Number) message.get("count")).intValue();
                return map("type", "cards", "id", id, "cards", ((List<?>) message.get("hand")).subList(0, count));
            case "play":
                return map("type", "card", "id", id, "card", ((List<?>) message.get("legal")).get(0));
            default:
                return null;
        }
    }

    private static Object value() {
        int first = data.get() & 0xff;
        if (first < 0x80) return first;
        if (first < 0x90) return map(first - 0x80);
        if (first < 0xa0) return list(first - 0x90);
        if (first < 0xc0) return text(first - 0xa0);
        switch (first) {
            case 0xc0: return null;
            case 0xc2: return false;
            case 0xc3: return true;
            case 0xcc: return data.get() & 0xff;
            case 0xcd: return data.getShort() & 0xffff;
            case 0xce: return data.getInt() & 0xffffffffL;
            case 0xcf: return data.getLong();
            case 0xd9: return text(data.get() & 0xff);
            case 0xda: return text(data.getShort() & 0xffff);
            case 0xdc: return list(data.getShort() & 0xffff);
            case 0xde: return map(data.getShort() & 0xffff);
            default: throw new IllegalArgumentException("msgpack byte " + first);
        }
    }

    private static String text(int size) {
        byte[] bytes = new byte[size];
        data.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static List<Object> list(int size) {
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < size; i++) items.add(value());
        return items;
    }

    private static Map<Object, Object> map(int size) {
        Map<Object, Object> pairs = new HashMap<>();
        for (int i = 0; i < size; i++) pairs.put(value(), value());
        return pairs;
    }

    private static byte[] map(Object... keysAndValues) {
        ByteBuffer packed = ByteBuffer.allocate(4096);
        packed.put((byte) (0x80 + keysAndValues.length / 2));
        for (Object each : keysAndValues) pack(packed, each);
        byte[] bytes = new byte[packed.position()];
        packed.flip();
        packed.get(bytes);
        return bytes;
    }

    private static void pack(ByteBuffer packed, Object value) {
        if (value instanceof List) {
            packed.put((byte) (0x90 + ((List<?>) value).size()));
            for (Object each : (List<?>) value) pack(packed, each);
        } else {
            byte[] bytes = ((String) value).getBytes(StandardCharsets.UTF_8);
            packed.put((byte) (0xa0 + bytes.length));
            packed.put(bytes);
        }
    }
}

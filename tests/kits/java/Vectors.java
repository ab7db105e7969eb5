import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Reads lines of the protocol in hexadecimal and writes what the kit makes of them: see ../README.md. */
final class Vectors {
    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String hex = input.readLine(); hex != null; hex = input.readLine()) {
            String line = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
            System.out.println(answer(line));
        }
    }

    private static String answer(String line) throws IOException {
        Papayoo.Message message;
        try {
            message = Papayoo.decode(line);
        } catch (IOException error) {
            return "refused " + error.getMessage();
        }
        return Papayoo.encode(message.values());
    }
}

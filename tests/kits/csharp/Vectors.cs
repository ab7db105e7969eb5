// Reads lines of the protocol in hexadecimal and writes what the kit makes of them: see ../README.md.
using System;
using System.Globalization;
using System.Linq;
using Papayoo;

public static class Vectors
{
    public static void Main()
    {
        for (var hex = Console.ReadLine(); hex != null; hex = Console.ReadLine())
            Console.WriteLine(Answer(FromHex(hex)));
    }

    private static string FromHex(string hex)
    {
        var bytes = Enumerable.Range(0, hex.Length / 2).Select(i => hex.Substring(2 * i, 2));
        return string.Concat(bytes.Select(digits => (char)byte.Parse(digits, NumberStyles.HexNumber)));
    }

    private static string Answer(string line)
    {
        try
        {
            return Wire.Encode(Wire.Decode(line));
        }
        catch (FormatException error)
        {
            return "refused " + error.Message;
        }
    }
}

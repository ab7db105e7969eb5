// Reads lines of the protocol, in hexadecimal, and writes them again: see README.md one folder up.

import { decode, encode } from "./papayoo";

declare const process: {
  stdin: { setEncoding(encoding: string): void; on(event: string, listener: (text: string) => void): void };
  stdout: { write(text: string): void };
};

function answer(line: string): string {
  const bytes = line.match(/../g) ?? [];
  try {
    return encode(decode(String.fromCharCode(...bytes.map((byte) => parseInt(byte, 16)))));
  } catch (error) {
    return `refused ${error}`.split("\n")[0];
  }
}

let text = "";
process.stdin.setEncoding("latin1");
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", () => {
  for (const line of text.split("\n").slice(0, -1)) process.stdout.write(answer(line) + "\n");
});

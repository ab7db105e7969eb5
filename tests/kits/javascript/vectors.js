// Reads lines of the protocol, in hexadecimal, and writes them again: see README.md one folder up.
"use strict";

const { decode, encode } = require("./papayoo.js");

const cases = require("fs").readFileSync(0, "latin1").split("\n").slice(0, -1);
for (const line of cases) {
  try {
    console.log(encode(decode(Buffer.from(line, "hex").toString("latin1"))));
  } catch (error) {
    console.log(`refused ${error.message.split("\n")[0]}`);
  }
}

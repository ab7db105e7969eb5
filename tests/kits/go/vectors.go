// Reads lines of the protocol in hexadecimal and writes what the kit makes of them: see ../README.md.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line, err := hex.DecodeString(lines.Text())
		exitOn(err)
		if message, err := Decode(line); err != nil {
			fmt.Printf("refused %q\n", err)
		} else {
			os.Stdout.Write(Encode(message))
		}
	}
	exitOn(lines.Err())
}

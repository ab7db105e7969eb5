//! Reads lines of the protocol in hexadecimal and writes what the kit makes of them: see ../README.md.

mod papayoo;

use papayoo::{decode, encode, Error};
use std::io;

fn from_hex(text: &str) -> Result<Vec<u8>, Error> {
    (0..text.len()).step_by(2).map(|i| Ok(u8::from_str_radix(&text[i..i + 2], 16)?)).collect()
}

fn main() -> Result<(), Error> {
    for line in io::stdin().lines() {
        match decode(&from_hex(&line?)?) {
            Ok(message) => println!("{}", encode(&message)),
            Err(why) => println!("refused {why}"),
        }
    }
    Ok(())
}

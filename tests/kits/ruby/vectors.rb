# frozen_string_literal: true

# Reads lines of the protocol in hexadecimal and writes what the kit makes of them: see ../README.md.
require_relative "papayoo"

$stdin.each_line(chomp: true) do |hex|
  print Papayoo.encode(Papayoo.decode([hex].pack("H*")))
rescue Papayoo::Refused => e
  puts "refused #{e.message}"
end

-- Reads lines of the protocol in hexadecimal and writes what the kit makes of them: see ../README.md.
local papayoo = require("papayoo")

for hex in io.lines() do
  local line = hex:gsub("..", function(byte) return string.char(tonumber(byte, 16)) end)
  local good, result = pcall(function() return papayoo.encode(papayoo.decode(line)) end)
  io.write(good and result or "refused " .. tostring(result) .. "\n")
end

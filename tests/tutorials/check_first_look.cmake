# What 00_first_look makes of words and files. Run as: cmake -D PROGRAM=program -P ...
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(0 output "unknown: Wibble.*king +1[.]00 +·.*queen +0[.]30 +0[.]70" King Wibble "queen")
expect(2 errors "none of these words has a vector" Wibble)
expect(2 errors "file \"/no/such/file\" cannot be read" --file /no/such/file)
expect(2 errors "give words or --file, not both" --file /no/such/file king)

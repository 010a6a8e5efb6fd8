# What every tutorial answers to a question for help, and to what it does not understand.
# Run as: cmake -D PROGRAM=program -P check_options.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(0 output "--seed" --help)
expect(2 errors "--nonsense" --nonsense)
expect(2 errors "--seed" --seed)
expect(2 errors "minus" --seed minus)
expect(2 errors "-1" --seed -1)

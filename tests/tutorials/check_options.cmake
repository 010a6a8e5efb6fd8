# How every tutorial responds to --help and to unknown options, and that colours change nothing
# else.
# Run as: cmake -D PROGRAM=program -P check_options.cmake
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

expect(0 output "--seed" --help)
expect(0 output "--color WHEN" --help)
expect(0 output "--stop  .*--predict  " --help)
expect(2 errors "--stop takes no value" --stop=08.3)
expect(2 errors "--predict takes no value" --predict=all)
expect(2 errors "--nonsense" --nonsense)
expect(2 errors "--seed" --seed)
expect(2 errors "minus" --seed minus)
expect(2 errors "-1" --seed -1)
expect(2 errors "--color takes auto, always or never, not \"blue\"" --color blue)
expect(2 errors "--color needs a value" --color)

output_with(plain "")
set(draws FALSE)
if(plain MATCHES "rows: queries, columns: keys")
  set(draws TRUE)
endif()
output_with(always "" --color always)
output_with(never FORCE_COLOR=3 --color=never)
expect_colors(FALSE "in a pipe" "${plain}" "${plain}")
expect_colors(${draws} "--color always" "${always}" "${plain}")
expect_colors(FALSE "--color never" "${never}" "${plain}")

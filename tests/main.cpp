// Catch2 version 2 needs its main() in one source file of the program.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

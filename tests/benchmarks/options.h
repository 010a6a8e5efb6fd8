// The command line of heed_benchmarks.
#pragma once

#include "tensor/scalar.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

struct Options {
    std::vector<std::string> only = {};  // parts of names; empty: all works
    std::string output;                  // a file for the results; empty: none
    std::string python = "/usr/bin/python3";
    bool quick = false;
    bool twins = false;  // small works, to check that the peers compute the same
    bool peers = true;
    bool list = false;
    bool help = false;
    bool serve = false;  // answer questions (serve.h) instead
};

struct BadOption : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Error: BadOption, whose message names the wrong option.
Options options_from(int count, char** words);

extern const char* const help_text;

}}}  // namespace heed::benchmarks

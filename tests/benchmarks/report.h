// The results as a table for people and as JSON for programs.
#pragma once

#include "tests/benchmarks/measure.h"

#include <iosfwd>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

struct Machine {
    std::string processor;  // as the system names it
    std::string kernels;    // the instruction set heed chose
    std::string openblas;   // the core type OpenBLAS works for, and why; empty without peers
    double peak_1 = 0;      // floating-point operations per second, on one thread
    double peak_2 = 0;      // the same on two
    double load = 0;        // load average over the last minute, before the start
};

Machine this_machine();

void print_heading(std::ostream& out, const Machine& machine);
void print_row(std::ostream& out, const Result& result);
// How many of each verdict, what is missing and why, and what the columns mean.
void print_summary(std::ostream& out, const std::vector<Result>& results);

void write_json(std::ostream& out, const Machine& machine, const std::vector<Result>& results);

}}}  // namespace heed::benchmarks

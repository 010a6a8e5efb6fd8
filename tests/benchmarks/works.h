// The list of what is measured, what each is compared with, and what is asked of it.
#pragma once

#include "heed/tensor/scalar.h"

#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {
namespace benchmarks {

enum class Kind {
    time,     // seconds of one run
    memory,   // the most a process has while it runs, and what it needs beyond its inputs
    startup,  // a process that starts, adds two tensors and ends
};

// What a claim is about. All are such that more is better, but the last two.
enum class Measure {
    of_peak,        // fraction of the peak that is measured beside it
    against_torch,  // theirs / ours, in seconds or bytes
    against_other,  // the same for the work's second peer
    gflops,
    seconds,
    mebibytes,
};

struct Claim {
    Measure measure;
    double accept;
    double aim;
};

struct Work {
    std::string name;  // for people
    std::string line;  // for those who do it (serve.h)
    int threads = 2;
    double operations = 0;   // floating-point operations in one run; 0: not counted
    double per = 1;          // small operations in one run, of which one is to be shown
    std::string other = "";  // the second peer: "OpenBLAS", "scalars"
    std::vector<Claim> claims = {};
    Kind kind = Kind::time;
    int times = 1;            // for memory: how often the work is done
    bool only_extra = false;  // for memory: without what the process had before
};

std::vector<Work> all_works();
// A small work of every kind, to see whether all sides compute the same.
std::vector<Work> twin_works();

}  // namespace benchmarks
}  // namespace HEED_PRECISION
}  // namespace heed

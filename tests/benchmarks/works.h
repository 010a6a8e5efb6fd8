// What is measured, what each work is compared with, and what is required of it.
#pragma once

#include "tensor/scalar.h"

#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

enum class Kind {
    time,     // seconds of one run
    memory,   // the peak of a process while it runs, and what it needs beyond its inputs
    startup,  // a process that starts, adds two tensors and ends
};

// What a claim is about. More is better for all but the last two.
enum class Measure {
    of_peak,        // fraction of the peak, measured beside it
    against_torch,  // theirs / ours, in seconds or bytes
    against_other,  // the same for the best of the work's other peers
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
    std::string name = "";  // shown to people
    std::string line = "";  // sent to the sides (serve.h)
    int threads = 2;
    double bytes = 0;  // that one run reads of memory, at least; 0: not counted
    bool in_torch = true;
    double operations = 0;  // floating-point operations in one run; 0: not counted
    double per = 1;         // small operations in one run; the time of one is shown
    // Peers beside PyTorch: "OpenBLAS", "scalars", "ONNX Runtime", "ONNX fused",
    // "llama.cpp".
    std::vector<std::string> others = {};
    std::vector<Claim> claims = {};
    Kind kind = Kind::time;
    int sampled = 0;          // how many numbers of the result are compared, each by itself
    std::string figure = "";  // that this is a point of, at this x
    double x = 0;
    int times = 1;            // for memory: how often the work is done
    bool only_extra = false;  // for memory: without what the process had before
};

std::vector<Work> all_works();
// How cost grows with the tokens of attention, the depth of a GPT and the number of threads: the
// points of figures (figures.cpp).
std::vector<Work> growth_works();
// A small work of every kind, to check that all sides compute the same.
std::vector<Work> twin_works();

}}}  // namespace heed::benchmarks

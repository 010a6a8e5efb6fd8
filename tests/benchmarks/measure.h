// Measures one work after the other: every side once per turn, so that whatever slows the machine
// for a while slows all of them.
#pragma once

#include "tests/benchmarks/coprocess.h"
#include "tests/benchmarks/works.h"

#include <map>
#include <memory>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

// The command line of heed_benchmarks.
struct Options {
    std::vector<std::string> only = {};  // parts of names; empty: all works
    std::string output;                  // a file for the results; empty: none
    std::string python = "/usr/bin/python3";
    std::string npm_peers = HEED_NPM_PEERS;  // a folder with node_modules; absolute, as Node needs
    bool asked_for_python = false;           // by name, so that a peer that is missing is an error
    bool asked_for_npm = false;
    bool quick = false;
    bool twins = false;   // small works, to check that the peers compute the same
    bool growth = false;  // how cost grows, instead
    bool alone = false;   // without peers
    bool list = false;
    bool help = false;
    bool serve = false;  // answer questions (serve.h) instead
};

// What one side needs for a work (seconds or bytes), or why it is missing.
struct Side {
    std::vector<double> values = {};
    std::string missing = "";
    std::vector<double> norms = {};   // of its results
    std::vector<double> sample = {};  // entries of its first result, where they are compared
    double distance = 0;              // of those to ours, the largest, in parts of our largest
    double first_run = 0;             // seconds, roughly: includes reading the results

    bool measured() const { return !values.empty(); }
    double median() const;
};

struct Result {
    Work work;
    std::map<std::string, Side> sides;  // "heed", the limits "peak" and "memory", and the peers
    std::string differs;                // the peer whose results differ from ours

    const Side& side(const std::string& name) const;
    // The median over the turns of theirs / ours; 0 if one is missing.
    double ratio(const std::string& name) const;
    // The least of theirs / ours.
    double ratio_of_best_other() const;
    double seconds() const { return side("heed").median() / work.per; }
    double gflops() const;   // 0 where operations are not counted
    double of_peak() const;  // the same
    // Bytes per second that a side reads of memory, where they are counted; for "memory" those it
    // can.
    double bandwidth(const std::string& side) const;
    // The value a claim is about; 0 if it was not measured.
    double value(Measure measure) const;
    // "aim", "yes", "no", or "" if nothing is claimed or it could not be measured.
    std::string verdict() const;
};

class Bench {
  public:
    Bench(const Options& options, const std::string& own_program);
    Result measure(const Work& work);
    // Peak floating-point operations per second.
    double peak(int threads);
    // Makes OpenBLAS, alone and in PyTorch, work for the best core type that this processor has.
    // Returns which it works for and why (core_text). Call it before anything is measured.
    std::string choose_openblas_core();

  private:
    Settings peer_settings() const;
    std::string openblas_core() const;
    std::unique_ptr<Coprocess> start(const std::string& side) const;
    // One process for each number of threads: one that never has others needs no locks for them.
    Coprocess& running(const std::string& side, int threads);
    std::vector<std::string> sides_of(const Work& work) const;
    void prepare(Result& result, const std::string& side);
    void compare_samples(Result& result, const std::string& side);
    void take_turns(Result& result);
    void turn(const Work& work, const std::string& name, Side& side);
    Side memory(const Work& work, const std::string& side);
    Side startup(const Work& work, const std::string& side);

    Options options_;
    std::string own_program_;
    std::string core_type_;  // to be set for OpenBLAS; "" leaves it to OpenBLAS
    std::map<std::pair<std::string, int>, std::unique_ptr<Coprocess>> running_;
};

}}}  // namespace heed::benchmarks

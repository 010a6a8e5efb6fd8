// Measures one work after the other: every side once, then every side again, so that what slows
// the machine for a while slows all of them.
#pragma once

#include "tests/benchmarks/coprocess.h"
#include "tests/benchmarks/options.h"
#include "tests/benchmarks/works.h"

#include <map>
#include <memory>

namespace heed {
inline namespace HEED_PRECISION {
namespace benchmarks {

// What one side needs for a work: seconds, or bytes; or why it is not there.
struct Side {
    std::vector<double> values = {};
    std::string missing = "";
    std::vector<double> norms = {};  // of its results
    double first_run = 0;            // seconds, about: the results are read too

    bool measured() const { return !values.empty(); }
    double median() const;
};

struct Result {
    Work work;
    std::map<std::string, Side> sides;  // "heed", "peak", "PyTorch", "OpenBLAS", "scalars"
    std::string differs;                // the peer whose results are others than ours

    const Side& side(const std::string& name) const;
    // theirs / ours, turn by turn, and of these the median; 0 where one is missing.
    double ratio(const std::string& name) const;
    double seconds() const { return side("heed").median() / work.per; }
    double gflops() const;   // 0 where operations are not counted
    double of_peak() const;  // the same
    // The value a claim is about; 0 where it was not measured.
    double value(Measure measure) const;
    // "aim", "yes", "no", or "" where nothing is claimed or it could not be measured.
    std::string verdict() const;
};

class Bench {
  public:
    Bench(const Options& options, const std::string& own_program);
    Result measure(const Work& work);
    // Floating-point operations in a second, at best.
    double peak(int threads);

  private:
    std::unique_ptr<Coprocess> start(const std::string& side) const;
    // A process that works with one thread never has others, and needs no locks for them.
    Coprocess& running(const std::string& side, int threads);
    std::vector<std::string> sides_of(const Work& work) const;
    void prepare(Result& result, const std::string& side);
    void take_turns(Result& result);
    void turn(const Work& work, const std::string& name, Side& side);
    Side memory(const Work& work, const std::string& side);
    Side startup(const Work& work, const std::string& side);

    Options options_;
    std::string own_program_;
    std::map<std::pair<std::string, int>, std::unique_ptr<Coprocess>> running_;
};

}  // namespace benchmarks
}  // namespace HEED_PRECISION
}  // namespace heed

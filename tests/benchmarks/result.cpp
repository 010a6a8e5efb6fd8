// Statistics over the turns of a work, and the verdict.
#include "tests/benchmarks/loops.h"
#include "tests/benchmarks/measure.h"

#include <algorithm>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    const bool odd = values.size() % 2 == 1;
    return odd ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool is_small_better(Measure measure) {
    return measure == Measure::seconds || measure == Measure::mebibytes;
}

bool holds(const Claim& claim, double value, double bound) {
    return is_small_better(claim.measure) ? value <= bound : value >= bound;
}

}  // namespace

double Side::median() const { return median_of(values); }

const Side& Result::side(const std::string& name) const {
    static const Side none;
    const auto found = sides.find(name);
    return found == sides.end() ? none : found->second;
}

double Result::ratio(const std::string& name) const {
    const std::vector<double>& ours = side("heed").values;
    const std::vector<double>& theirs = side(name).values;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
        if (ours[i] > 0) ratios.push_back(theirs[i] / ours[i]);
    }
    return median_of(ratios);
}

double Result::ratio_of_best_other() const {
    double best = 0;
    for (const std::string& name : work.others) {
        const double one = ratio(name);
        if (one > 0 && (best == 0 || one < best)) best = one;
    }
    return best;
}

double Result::gflops() const {
    if (work.operations == 0 || work.kind != Kind::time || !side("heed").measured()) return 0;
    return work.operations / side("heed").median() / 1e9;
}

double Result::of_peak() const {
    if (work.operations == 0 || work.kind != Kind::time) return 0;
    return ratio("peak") * work.operations / (peak_operations * work.threads);
}

double Result::bandwidth(const std::string& name) const {
    if (work.bytes == 0 || !side(name).measured()) return 0;
    const double bytes = name == "memory" ? static_cast<double>(bytes_to_read) : work.bytes;
    return bytes / side(name).median();
}

double Result::value(Measure measure) const {
    if (measure == Measure::of_peak) return of_peak();
    if (measure == Measure::against_torch) return ratio("PyTorch");
    if (measure == Measure::against_other) return ratio_of_best_other();
    if (measure == Measure::gflops) return gflops();
    if (measure == Measure::seconds) return seconds();
    return side("heed").median() / (1024 * 1024);
}

std::string Result::verdict() const {
    std::string verdict;
    for (const Claim& claim : work.claims) {
        const double measured = value(claim.measure);
        if (measured == 0) continue;
        if (!holds(claim, measured, claim.accept)) return "no";
        if (!holds(claim, measured, claim.aim)) verdict = "yes";
        if (verdict.empty()) verdict = "aim";
    }
    return verdict;
}

}}}  // namespace heed::benchmarks

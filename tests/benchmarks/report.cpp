#include "tests/benchmarks/report.h"

#include "tensor/errors.h"
#include "tensor/kernels/kernels.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

namespace {

template <class... Values>
std::string formatted(const char* format, const Values&... values) {
    char buffer[200];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return buffer;
}

// Three significant digits with a suitable unit.
std::string seconds_text(double seconds) {
    if (seconds >= 1) return formatted("%.3g s", seconds);
    if (seconds >= 1e-3) return formatted("%.3g ms", seconds * 1e3);
    return formatted("%.3g us", seconds * 1e6);
}

std::string bytes_text(double bytes) { return formatted("%.1f MiB", bytes / (1024 * 1024)); }

bool counts_bytes(const Work& work) {
    return work.kind == Kind::memory || (work.kind == Kind::startup && work.only_extra);
}

std::string value_text(const Result& result, const std::string& side) {
    if (!result.side(side).measured()) return "-";
    const double median = result.side(side).median();
    return counts_bytes(result.work) ? bytes_text(median) : seconds_text(median / result.work.per);
}

std::string number_text(const char* format, double number) {
    return number == 0 ? "-" : formatted(format, number);
}

// The values that the work's claims require.
std::string asked_text(const Work& work) {
    std::string asked;
    for (const Claim& claim : work.claims) {
        if (!asked.empty()) asked += ", ";
        switch (claim.measure) {
        case Measure::of_peak:
            asked += formatted("%.0f%%", claim.accept * 100);
            break;
        case Measure::against_torch:
        case Measure::against_other:
            asked += formatted("%.3gx", claim.accept);
            break;
        case Measure::gflops:
            asked += formatted("%.0f GF", claim.accept);
            break;
        case Measure::seconds:
            asked += seconds_text(claim.accept);
            break;
        case Measure::mebibytes:
            asked += formatted("%.0f MiB", claim.accept);
            break;
        }
    }
    return asked;
}

constexpr const char* row_format = "%-24s %1s %9s %6s %5s %10s %6s %9s %6s  %-9s %s\n";

std::string row(const std::string& name, const std::string& threads, const std::string& ours,
                const std::string& gflops, const std::string& of_peak, const std::string& torch,
                const std::string& torch_ratio, const std::string& other,
                const std::string& other_ratio, const std::string& asked,
                const std::string& verdict) {
    return formatted(row_format, name.c_str(), threads.c_str(), ours.c_str(), gflops.c_str(),
                     of_peak.c_str(), torch.c_str(), torch_ratio.c_str(), other.c_str(),
                     other_ratio.c_str(), asked.c_str(), verdict.c_str());
}

}  // namespace

Machine this_machine() {
    Machine machine;
    std::ifstream info("/proc/cpuinfo");
    std::string line;
    while (machine.processor.empty() && std::getline(info, line)) {
        if (line.rfind("model name", 0) == 0) machine.processor = line.substr(line.find(':') + 2);
    }
    machine.kernels = kernels::active().name;
    if (getloadavg(&machine.load, 1) != 1) machine.load = 0;
    return machine;
}

void print_heading(std::ostream& out, const Machine& machine) {
    if (machine.load > 0.5) {
        out << "Others use this machine (load " << formatted("%.1f", machine.load)
            << "): what follows is no measurement. PyTorch's threads suffer most.\n";
    }
    out << machine.processor << ", kernels: " << machine.kernels << '\n';
    if (!machine.openblas.empty()) out << "OpenBLAS's core type: " << machine.openblas << '\n';
    out << formatted("peak: %.0f GFLOP/s on one thread, %.0f on two\n\n", machine.peak_1 / 1e9,
                     machine.peak_2 / 1e9)
        << row("work", "t", "heed", "GF/s", "peak", "PyTorch", "ratio", "other", "ratio", "asked",
               "met")
        << std::flush;
}

void print_row(std::ostream& out, const Result& result) {
    const Work& work = result.work;
    const std::string ours = value_text(result, "heed");
    const bool has_other = !work.other.empty();
    out << row(work.name, std::to_string(work.threads), ours, number_text("%.0f", result.gflops()),
               number_text("%.0f%%", 100 * result.of_peak()), value_text(result, "PyTorch"),
               number_text("%.2f", result.ratio("PyTorch")),
               has_other ? value_text(result, work.other) : "",
               has_other ? number_text("%.2f", result.ratio(work.other)) : "", asked_text(work),
               result.verdict());
    const std::string& missing = result.side("heed").missing;
    if (!missing.empty()) out << "  heed: " << missing << '\n';
    if (!result.differs.empty()) {
        out << "  " << result.differs << " computes other results than heed\n";
    }
    out << std::flush;
}

void print_summary(std::ostream& out, const std::vector<Result>& results) {
    std::map<std::string, int> verdicts;
    std::set<std::string> missing;
    for (const Result& result : results) {
        ++verdicts[result.verdict()];
        for (const auto& [name, side] : result.sides) {
            if (!side.missing.empty()) missing.insert(name + ": " + side.missing);
        }
    }
    out << "\nt: threads. ratio: theirs / ours, the median over turns. other: OpenBLAS, or for "
           "the\n"
           "2-16-16-1 step an engine of single numbers in Python. met: aim, yes, no.\n"
        << "At the aim: " << verdicts["aim"] << ", accepted: " << verdicts["yes"]
        << ", not met: " << verdicts["no"] << ", nothing asked or not measured: " << verdicts[""]
        << '\n';
    for (const std::string& reason : missing) out << "left out: " << reason << '\n';
}

}}}  // namespace heed::benchmarks

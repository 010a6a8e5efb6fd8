#include "tests/benchmarks/report.h"

#include "tensor/errors.h"
#include "tensor/kernels/kernels.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <set>
#include <tuple>

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

// What a claim is about: its name in JSON, and how its value is shown, scaled.
struct Shown {
    const char* name;
    const char* format;  // nullptr: seconds_text()
    double scale;
};

const Shown& shown(Measure measure) {
    static const std::map<Measure, Shown> all = {
        {Measure::of_peak, {"of_peak", "%.0f%%", 100}},
        {Measure::against_torch, {"against_torch", "%.3gx", 1}},
        {Measure::against_other, {"against_other", "%.3gx", 1}},
        {Measure::gflops, {"gflops", "%.0f GF", 1}},
        {Measure::seconds, {"seconds", nullptr, 1}},
        {Measure::mebibytes, {"mebibytes", "%.0f MiB", 1}},
    };
    return all.at(measure);
}

// The values that the work's claims require.
std::string asked_text(const Work& work) {
    std::string asked;
    for (const auto& [measure, accept, aim] : work.claims) {
        const Shown& how = shown(measure);
        asked += asked.empty() ? "" : ", ";
        asked += how.format ? formatted(how.format, how.scale * accept) : seconds_text(accept);
    }
    return asked;
}

constexpr const char* row_format = "%-24s %1s %9s %6s %5s %10s %6s %9s %6s  %-9s %s\n";

std::string row(const std::array<std::string, 11>& cells) {
    const auto print = [](const auto&... cell) { return formatted(row_format, cell.c_str()...); };
    return std::apply(print, cells);
}

// As a string of JSON.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') result.push_back('\\');
        result.push_back(static_cast<unsigned char>(letter) < ' ' ? ' ' : letter);
    }
    return result + "\"";
}

void write_side(std::ostream& out, const Result& result, const std::string& name) {
    const Side& side = result.side(name);
    out << quoted(name) << ": {";
    if (!side.missing.empty()) {
        out << "\"missing\": " << quoted(side.missing) << "}";
        return;
    }
    if (result.bandwidth(name) > 0) out << "\"bandwidth\": " << result.bandwidth(name) << ", ";
    if (!side.sample.empty()) out << "\"distance\": " << side.distance << ", ";
    out << "\"median\": " << side.median() << ", \"ratio\": " << result.ratio(name)
        << ", \"turns\": [";
    const char* comma = "";
    for (const double value : side.values) {
        out << comma << value;
        comma = ", ";
    }
    out << "]}";
}

void write_claims(std::ostream& out, const Result& result) {
    out << "\"claims\": [";
    const char* comma = "";
    for (const Claim& claim : result.work.claims) {
        out << comma << "{\"measure\": " << quoted(shown(claim.measure).name)
            << ", \"value\": " << result.value(claim.measure) << ", \"accept\": " << claim.accept
            << ", \"aim\": " << claim.aim << "}";
        comma = ", ";
    }
    out << "]";
}

void write_result(std::ostream& out, const Result& result) {
    const Work& work = result.work;
    out << "    {\"name\": " << quoted(work.name) << ", \"work\": " << quoted(work.line)
        << ", \"threads\": " << work.threads
        << ", \"unit\": " << quoted(counts_bytes(work) ? "bytes" : "seconds")
        << ", \"per\": " << work.per << ", \"figure\": " << quoted(work.figure)
        << ", \"x\": " << work.x << ",\n     \"gflops\": " << result.gflops()
        << ", \"of_peak\": " << result.of_peak() << ", \"verdict\": " << quoted(result.verdict())
        << ", \"differs\": " << quoted(result.differs) << ",\n     ";
    write_claims(out, result);
    out << ",\n     \"sides\": {";
    const char* comma = "";
    for (const auto& [name, side] : result.sides) {
        out << comma;
        write_side(out, result, name);
        comma = ", ";
    }
    out << "}}";
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
        << row({"work", "t", "heed", "GF/s", "peak", "PyTorch", "ratio", "other", "ratio", "asked",
                "met"})
        << std::flush;
}

void print_row(std::ostream& out, const Result& result) {
    const Work& work = result.work;
    const std::string ours = value_text(result, "heed");
    const std::string other = work.others.empty() ? "" : work.others[0];
    out << row({work.name, std::to_string(work.threads), ours, number_text("%.0f", result.gflops()),
                number_text("%.0f%%", 100 * result.of_peak()), value_text(result, "PyTorch"),
                number_text("%.2f", result.ratio("PyTorch")),
                other.empty() ? "" : value_text(result, other),
                other.empty() ? "" : number_text("%.2f", result.ratio(other)), asked_text(work),
                result.verdict()});
    for (std::size_t i = 1; i < work.others.size(); ++i) {
        const std::string& name = work.others[i];
        out << row({"  " + name, std::to_string(work.threads), "", "", "", "", "",
                    value_text(result, name), number_text("%.2f", result.ratio(name)), "", ""});
    }
    if (result.bandwidth("heed") > 0) {
        out << "  GB/s:";
        for (const auto& [name, side] : result.sides) {
            out << ' ' << name << ' ' << number_text("%.1f", result.bandwidth(name) / 1e9);
        }
        out << '\n';
    }
    for (const std::string& name : work.others) {
        if (work.sampled == 0 || result.side(name).sample.empty()) continue;
        out << "  " << name << "'s result differs from ours by "
            << formatted("%.1e", result.side(name).distance) << " of its largest number\n";
    }
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
    out << "\nt: threads. ratio: theirs / ours, the median over turns. other: OpenBLAS, ONNX "
           "Runtime, llama.cpp,\n"
           "for the 2-16-16-1 step an engine of single numbers in Python. met: aim, yes, no.\n"
        << "At the aim: " << verdicts["aim"] << ", accepted: " << verdicts["yes"]
        << ", not met: " << verdicts["no"] << ", nothing asked or not measured: " << verdicts[""]
        << '\n';
    for (const std::string& reason : missing) out << "left out: " << reason << '\n';
}

void write_json(std::ostream& out, const Machine& machine, const std::vector<Result>& results) {
    out.imbue(std::locale::classic());
    out << std::setprecision(6) << "{\n  \"processor\": " << quoted(machine.processor)
        << ",\n  \"kernels\": " << quoted(machine.kernels)
        << ",\n  \"openblas\": " << quoted(machine.openblas) << ",\n  \"peak\": [" << machine.peak_1
        << ", " << machine.peak_2 << "],\n  \"load\": " << machine.load << ",\n  \"results\": [\n";
    const char* comma = "";
    for (const Result& result : results) {
        out << comma;
        write_result(out, result);
        comma = ",\n";
    }
    out << "\n  ]\n}\n";
}

}}}  // namespace heed::benchmarks

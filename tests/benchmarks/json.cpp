// Writes the results as JSON.
#include "tests/benchmarks/report.h"

#include <iomanip>
#include <locale>
#include <ostream>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {

namespace {

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
    out << "\"median\": " << side.median() << ", \"ratio\": " << result.ratio(name)
        << ", \"turns\": [";
    const char* comma = "";
    for (const double value : side.values) {
        out << comma << value;
        comma = ", ";
    }
    out << "]}";
}

const char* measure_name(Measure measure) {
    switch (measure) {
    case Measure::of_peak:
        return "of_peak";
    case Measure::against_torch:
        return "against_torch";
    case Measure::against_other:
        return "against_other";
    case Measure::gflops:
        return "gflops";
    case Measure::seconds:
        return "seconds";
    case Measure::mebibytes:
        return "mebibytes";
    }
    return "";
}

void write_claims(std::ostream& out, const Result& result) {
    out << "\"claims\": [";
    const char* comma = "";
    for (const Claim& claim : result.work.claims) {
        out << comma << "{\"measure\": " << quoted(measure_name(claim.measure))
            << ", \"value\": " << result.value(claim.measure) << ", \"accept\": " << claim.accept
            << ", \"aim\": " << claim.aim << "}";
        comma = ", ";
    }
    out << "]";
}

void write_result(std::ostream& out, const Result& result) {
    const Work& work = result.work;
    const bool bytes = work.kind == Kind::memory || (work.kind == Kind::startup && work.only_extra);
    out << "    {\"name\": " << quoted(work.name) << ", \"work\": " << quoted(work.line)
        << ", \"threads\": " << work.threads
        << ", \"unit\": " << quoted(bytes ? "bytes" : "seconds") << ", \"per\": " << work.per
        << ",\n     \"gflops\": " << result.gflops() << ", \"of_peak\": " << result.of_peak()
        << ", \"verdict\": " << quoted(result.verdict())
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

#include "tests/benchmarks/measure.h"

#include "tensor/errors.h"
#include "tensor/kernels/kernels.h"
#include "tests/benchmarks/loops.h"
#include "tests/benchmarks/openblas_core.h"
#include "tests/benchmarks/process.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

namespace heed { inline namespace HEED_PRECISION { namespace benchmarks {
namespace {
constexpr double short_turn = 0.005;
constexpr double long_turn = 0.04;

std::string script(const std::string& name) {
    return std::string(HEED_BENCHMARKS_FOLDER) + "/" + name;
}

std::vector<double> numbers_in(const std::string& answer) {
    std::istringstream line(answer);
    std::string word;
    line >> word;
    std::vector<double> numbers;
    double number = 0;
    while (line >> number) numbers.push_back(number);
    return numbers;
}

std::unique_ptr<Coprocess> started(const std::vector<std::string>& command,
                                   const Settings& settings = {}) {
    return std::make_unique<Coprocess>(command, settings);
}

bool is_refusal(const std::string& answer) { return answer.rfind("no ", 0) == 0; }

bool close(const std::vector<double>& ours, const std::vector<double>& theirs) {
    if (ours.size() != theirs.size()) return false;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (!(__builtin_fabs(ours[i] - theirs[i]) <= 1e-3 * __builtin_fabs(ours[i]))) return false;
    }
    return true;
}

}  // namespace

Bench::Bench(const Options& options, const std::string& own_program)
    : options_(options), own_program_(own_program) {}

// Thread settings, the folder of Debian's OpenBLAS that shares PyTorch's OpenMP threads, and the
// core type.
Settings Bench::peer_settings() const {
    Settings settings = {"OMP_NUM_THREADS=2", "OMP_PROC_BIND=true"};
    const std::string openmp = "/usr/lib/x86_64-linux-gnu/openblas-openmp";
    if (std::filesystem::exists(openmp)) settings.push_back("LD_LIBRARY_PATH=" + openmp);
    if (!core_type_.empty()) settings.push_back("OPENBLAS_CORETYPE=" + core_type_);
    return settings;
}

std::string Bench::openblas_core() const {
    Coprocess process({options_.python, script("peer_openblas.py"), "core"}, peer_settings());
    const std::string printed = process.rest();
    return printed.substr(0, printed.find('\n'));
}

std::string Bench::choose_openblas_core() {
    const kernels::Available found = kernels::available();
    const std::string best = found.tables[found.count - 1]->name;
    const char* const asked = std::getenv("OPENBLAS_CORETYPE");
    const std::string asked_for = asked ? asked : "";
    const std::string detected = openblas_core();
    if (asked_for.empty()) core_type_ = better_core(detected, best);
    return core_text(detected, asked_for, core_type_.empty() ? detected : openblas_core(), best);
}

std::unique_ptr<Coprocess> Bench::start(const std::string& side) const {
    if (side == "heed" || side == "peak" || side == "memory") {
        return started({own_program_, "--serve"});
    }
    if (side.rfind("ONNX", 0) == 0) {
        const std::string style = side == "ONNX fused" ? "fused" : "plain";
        return started(
            {"node", script("peer_onnx.mjs"), style, options_.npm_peers, options_.python});
    }
    if (side == "llama.cpp") {
        return started({"node", script("peer_llama.mjs"), options_.npm_peers, options_.python});
    }
    const std::string name = side == "PyTorch"    ? "peer_torch.py"
                             : side == "OpenBLAS" ? "peer_openblas.py"
                                                  : "peer_scalars.py";
    return started({options_.python, script(name)}, peer_settings());
}

Coprocess& Bench::running(const std::string& side, int threads) {
    std::unique_ptr<Coprocess>& process = running_[{side, threads}];
    if (!process) process = start(side);
    return *process;
}

std::vector<std::string> Bench::sides_of(const Work& work) const {
    std::vector<std::string> sides = {"heed"};
    if (work.operations > 0 && work.kind == Kind::time) sides.push_back("peak");
    if (work.bytes > 0) sides.push_back("memory");
    if (!options_.alone && work.in_torch) sides.push_back("PyTorch");
    if (!options_.alone) sides.insert(sides.end(), work.others.begin(), work.others.end());
    return sides;
}

// Runs everything once before the first turn, and compares the results.
void Bench::prepare(Result& result, const std::string& name) {
    Side& side = result.sides[name];
    Coprocess& process = running(name, result.work.threads);
    const bool is_limit = name == "peak" || name == "memory";
    const std::string line = is_limit ? name : result.work.line;
    std::string answer = process.ask(text("prepare ", result.work.threads, " ", line));
    const double start = now();
    if (!is_refusal(answer)) answer = process.ask("check");
    side.first_run = now() - start;
    if (is_refusal(answer)) {
        side.missing = answer;
        return;
    }
    side.norms = numbers_in(answer);
    const std::vector<double>& ours = result.side("heed").norms;
    if (!side.norms.empty() && !close(ours, side.norms)) result.differs = name;
    if (result.work.sampled > 0 && !is_limit && name != "PyTorch") compare_samples(result, name);
}

void Bench::compare_samples(Result& result, const std::string& name) {
    Side& side = result.sides[name];
    const std::string question = text("sample ", result.work.sampled);
    side.sample = numbers_in(running(name, result.work.threads).ask(question));
    const std::vector<double>& ours = result.side("heed").sample;
    if (side.sample.size() != ours.size() || ours.empty()) {
        result.differs = name;
        return;
    }
    double largest = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        largest = std::max(largest, __builtin_fabs(ours[i]));
        side.distance = std::max(side.distance, __builtin_fabs(side.sample[i] - ours[i]));
    }
    side.distance /= largest;
    if (!(side.distance <= 1e-4)) result.differs = name;
}

// A peer that dies during a work, perhaps out of memory, is missing only from that work.
void Bench::turn(const Work& work, const std::string& name, Side& side) {
    const double expected = side.measured() ? side.values.back() : side.first_run;
    const double wanted = options_.quick ? short_turn : long_turn;
    const double seconds = expected > 0.1 ? 0 : wanted;
    const std::string answer = running(name, work.threads).ask(text("turn ", seconds));
    const std::vector<double> numbers = numbers_in(answer);
    if (numbers.size() == 2) {
        side.values.push_back(numbers[0] / numbers[1]);
        return;
    }
    side.values.clear();
    side.missing = text(work.name, ": ", answer);
    running_.erase({name, work.threads});
}

void Bench::take_turns(Result& result) {
    const int turns = options_.quick ? 2 : 7;
    for (int i = 0; i < turns; ++i) {
        for (auto& [name, side] : result.sides) {
            if (side.missing.empty()) turn(result.work, name, side);
        }
    }
}

// Measured in a fresh process.
Side Bench::memory(const Work& work, const std::string& name) {
    Side side;
    const std::unique_ptr<Coprocess> process = start(name);
    std::string answer = process->ask(text("prepare ", work.threads, " ", work.line));
    if (!is_refusal(answer)) answer = process->ask(text("memory ", work.times));
    const std::vector<double> numbers = numbers_in(answer);
    if (is_refusal(answer) || numbers.size() != 2) {
        side.missing = answer;
    } else {
        side.values.push_back(work.only_extra ? numbers[1] - numbers[0] : numbers[1]);
    }
    return side;
}

// Seconds from the start of the process to its end, or the bytes that it reports.
Side Bench::startup(const Work& work, const std::string& name) {
    Side side;
    const bool ours = name == "heed";
    std::vector<std::string> command = {options_.python, script("torch_startup.py")};
    if (ours) command = {HEED_STARTUP_PROGRAM};
    if (work.only_extra) command.push_back("memory");
    for (int i = 0; i < (options_.quick ? 2 : 7); ++i) {
        const double start = now();
        Coprocess process(command, ours ? Settings() : peer_settings());
        std::istringstream printed(process.rest());
        const double end = now();
        std::string line, last;
        while (std::getline(printed, line)) last = line;
        if (last.empty()) {
            side.missing = "no answer";
            return side;
        }
        side.values.push_back(work.only_extra ? std::stod(last) : end - start);
    }
    return side;
}

Result Bench::measure(const Work& work) {
    Result result{.work = work, .sides = {}, .differs = ""};
    for (const std::string& name : sides_of(work)) {
        if (work.kind == Kind::memory) result.sides[name] = memory(work, name);
        if (work.kind == Kind::startup) result.sides[name] = startup(work, name);
        if (work.kind == Kind::time) prepare(result, name);
    }
    if (work.kind == Kind::time) {
        take_turns(result);
        for (const auto& [name, side] : result.sides) running(name, work.threads).ask("drop");
    }
    return result;
}

double Bench::peak(int threads) {
    const Work work = {.name = "peak", .line = "peak", .threads = threads};
    Result result{.work = work, .sides = {}, .differs = ""};
    prepare(result, "peak");
    take_turns(result);
    return peak_operations * threads / result.side("peak").median();
}

}}}  // namespace heed::benchmarks

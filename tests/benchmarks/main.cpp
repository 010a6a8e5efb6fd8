// Measures heed, PyTorch and OpenBLAS in turn. works.cpp lists what is measured, measure.cpp
// measures it, and heed_*.cpp contain the works as a user of heed would write them.
#include "tensor/quote.h"
#include "tensor/runtime/settings.h"
#include "tests/benchmarks/measure.h"
#include "tests/benchmarks/report.h"
#include "tests/benchmarks/serve.h"
#include "tutorials/support/output.h"

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>

using namespace heed::benchmarks;

namespace {
constexpr const char* help_text =
    R"(heed_benchmarks measures heed beside PyTorch and OpenBLAS, in turn: ours, theirs, ours, ...

  --only PATTERN   only the works whose name has PATTERN in it, such as "attention" or "GPT step S";
                   given several times: those that have any of them
  --quick          two short turns of each instead of several: a look, not a measurement
  --no-peers       ours alone
  --output FILE    write all that was measured to FILE, as JSON
  --python PROGRAM the Python that has PyTorch (/usr/bin/python3)
  --npm-peers FOLDER  where npm installed ONNX Runtime, llama.cpp (peers/ in the build folder)
  --twins          small works of every kind instead, for whether the peers compute the same
  --growth         how cost grows with tokens, layers and threads instead, for heed_figures
  --list           say what would be measured, and end
  --help           this

It runs the peers as they are fastest: PyTorch with the OpenMP OpenBLAS and bound threads. On Debian:
apt-get install python3-torch libopenblas0-openmp. A peer that is missing is left out; if --python or
--npm-peers asked for it, the exit code is 1.
)";

struct BadOption : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string folder_of_peers(const std::string& name) {
    if (std::filesystem::is_directory(name)) return std::filesystem::absolute(name).string();
    throw BadOption("--npm-peers: there is no folder " + heed::in_quotes(name));
}

// Error: BadOption, whose message names the wrong option.
Options options_from(int count, char** words) {
    Options options;
    const std::map<std::string, bool*> switches = {
        {"--quick", &options.quick}, {"--twins", &options.twins},    {"--growth", &options.growth},
        {"--list", &options.list},   {"--no-peers", &options.alone}, {"--help", &options.help},
        {"--serve", &options.serve}};
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (switches.count(word) > 0) {
            *switches.at(word) = true;
            continue;
        }
        if (word != "--only" && word != "--output" && word != "--python" && word != "--npm-peers") {
            throw BadOption("there is no option " + heed::in_quotes(word) +
                            "; --help lists those there are");
        }
        if (++i == count) throw BadOption(word + " needs a value");
        if (word == "--only") options.only.push_back(words[i]);
        if (word == "--output") options.output = words[i];
        if (word == "--python") options.python = words[i];
        if (word == "--npm-peers") options.npm_peers = folder_of_peers(words[i]);
        options.asked_for_python |= word == "--python";
        options.asked_for_npm |= word == "--npm-peers";
    }
    return options;
}

bool is_wanted(const std::string& name, const std::vector<std::string>& patterns) {
    bool wanted = patterns.empty();
    for (const std::string& pattern : patterns) wanted |= name.find(pattern) != std::string::npos;
    return wanted;
}

std::vector<Work> chosen(const Options& options) {
    std::vector<Work> works;
    const auto list_of = options.twins ? twin_works : options.growth ? growth_works : all_works;
    for (const Work& work : list_of()) {
        if (is_wanted(work.name, options.only)) works.push_back(work);
    }
    if (works.empty()) {
        throw BadOption("no work has " + heed::in_quotes(options.only.back()) +
                        " in its name; --list shows them");
    }
    return works;
}

int list(const std::vector<Work>& works) {
    for (const Work& work : works) {
        std::cout << work.name << "  (" << work.line << ", threads: " << work.threads << ")\n";
    }
    return 0;
}

// Says which peers the command line asked for and that are missing. Returns whether there are any.
bool lacks_peers(const Options& options, const Result& result) {
    bool lacks = false;
    for (const auto& [name, side] : result.sides) {
        const bool is_npm = name.rfind("ONNX", 0) == 0 || name == "llama.cpp";
        const bool asked =
            is_npm ? options.asked_for_npm : name == "PyTorch" && options.asked_for_python;
        if (side.missing.empty() || !asked) continue;
        lacks = true;
        std::cerr << "heed_benchmarks: " << name
                  << " was asked for and is missing: " << side.missing << '\n';
    }
    return lacks;
}

// Returns 1 if a peer computes something else, since the comparison then means nothing, or if a
// peer that was asked for is missing.
int run(const Options& options, const std::vector<Work>& works) {
    std::ofstream file;
    if (!options.output.empty()) {
        file.open(options.output);
        if (!file) throw BadOption("--output: cannot write to " + heed::in_quotes(options.output));
    }
    Bench bench(options, std::filesystem::read_symlink("/proc/self/exe").string());
    Machine machine = this_machine();
    if (!options.alone) machine.openblas = bench.choose_openblas_core();
    machine.peak_1 = bench.peak(1);
    machine.peak_2 = bench.peak(2);
    print_heading(std::cout, machine);

    int status = 0;
    std::vector<Result> results;
    for (const Work& work : works) {
        std::cerr << '[' << results.size() + 1 << '/' << works.size() << "] " << work.name << '\n';
        results.push_back(bench.measure(work));
        print_row(std::cout, results.back());
        const bool failed = !results.back().side("heed").measured();
        if (failed || !results.back().differs.empty()) status = 1;
        if (lacks_peers(options, results.back())) status = 1;
    }
    print_summary(std::cout, results);
    if (file.is_open()) write_json(file, machine, results);
    return status;
}

int obey(const Options& options) {
    if (options.help) {
        std::cout << help_text;
        return 0;
    }
    const std::vector<Work> works = chosen(options);
    return options.list ? list(works) : run(options, works);
}

}  // namespace

int main(int count, char** words) {
    try {
        const Options options = options_from(count, words);
        heed::check_settings();
        if (options.serve) return serve();
        return tutorial::finish_output("heed_benchmarks", obey(options));
    } catch (const std::exception& error) {
        std::cerr << "heed_benchmarks: " << error.what() << '\n';
        return 2;
    }
}

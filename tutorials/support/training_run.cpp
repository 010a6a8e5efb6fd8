#include "tutorials/support/training_run.h"

#include "tensor/quote.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>

namespace tutorial {
namespace {
namespace fs = std::filesystem;

const char* const kinds[] = {"--save", "--resume", "--load"};
const char* const left_out = "--short";
const std::int64_t often = 50;  // steps from one saving to the next

// What the command line says.
std::string kept_as;  // one of `kinds`, `left_out`, or ""
std::string folder;

// A file's name of a run's.
std::string file_name(const std::string& name) {
    static std::map<std::string, int> runs;
    const int number = ++runs[name];
    std::string file;
    for (const char letter : name) {
        const bool is_plain = (letter >= 'a' && letter <= 'z') ||
                              (letter >= 'A' && letter <= 'Z') ||
                              (letter >= '0' && letter <= '9') || letter == '-';
        file += is_plain ? letter : '_';
    }
    return file + (number > 1 ? "-" + std::to_string(number) : "") + ".safetensors";
}

}  // namespace

void keep_training(const Options& options) {
    if (options.is_short()) kept_as = left_out;
    for (const std::string kind : kinds) {
        if (!options.has(kind)) continue;
        if (!kept_as.empty()) throw UsageError("give one of " + kept_as + " and " + kind);
        kept_as = kind;
        folder = options.value(kind);
    }
    if (kept_as.empty() || kept_as == left_out) return;
    std::error_code problem;
    if (kept_as == "--save") fs::create_directories(folder, problem);
    if (fs::is_directory(folder)) return;
    throw UsageError(kept_as + ": the folder " + heed::in_quotes(folder) +
                     (kept_as == "--save" ? " cannot be made: " + problem.message()
                                          : std::string(" is not there")));
}

TrainingRun::TrainingRun(const std::string& name, std::int64_t count)
    : count_(count), progress_(std::max<std::int64_t>(count, 1)) {
    if (kept_as == left_out) throw TrainingLeftOut();
    if (!kept_as.empty()) path_ = (fs::path(folder) / file_name(name)).string();
}

void TrainingRun::load() {
    const bool begins = kept_as == "--resume" && !fs::exists(path_);
    if (path_.empty() || kept_as == "--save" || begins) return;
    run_.load(path_);
    if (done_ < 0 || done_ > count_) {
        throw std::runtime_error("the run in " + heed::in_quotes(path_) + " has " +
                                 std::to_string(done_) + " steps; there are " +
                                 std::to_string(count_));
    }
    if (done_ == count_ || kept_as == "--resume") return;
    throw std::runtime_error("the run in " + heed::in_quotes(path_) + " was stopped after step " +
                             std::to_string(done_) + " of " + std::to_string(count_) +
                             "; --resume goes on with it");
}

bool TrainingRun::next() {
    if (in_step_) {
        ++done_;
        const bool is_due = done_ % often == 0 || done_ == count_;
        if (!path_.empty() && kept_as != "--load" && is_due) run_.save(path_);
    }
    in_step_ = done_ < count_;
    return in_step_;
}

void TrainingRun::show(const heed::Variable& loss, std::int64_t tokens) {
    progress_.show(step(), static_cast<double>(loss.item()), tokens);
}

}  // namespace tutorial

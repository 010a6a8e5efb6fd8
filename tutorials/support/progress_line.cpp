#include "tutorials/support/progress_line.h"

#include "tensor/errors.h"
#include "tensor/print.h"

#include <chrono>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <unistd.h>

using namespace heed;

namespace tutorial {
namespace {
double now() {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
    return since.count();
}

std::ostream* error_stream_if_terminal() {
    return isatty(STDERR_FILENO) == 1 ? &std::cerr : nullptr;
}

// "12:34", "1:02:03"
std::string time_text(double seconds) {
    const std::int64_t all = static_cast<std::int64_t>(seconds + 0.5);
    const std::int64_t hours = all / 3600, minutes = all / 60 % 60;
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << std::setfill('0');
    if (hours > 0) out << hours << ':' << std::setw(2);
    out << minutes << ':' << std::setw(2) << all % 60;
    return out.str();
}

}  // namespace

std::string progress_text(const TrainingProgress& progress) {
    constexpr double longest = 1000.0 * 3600;  // what takes longer is not known well enough
    std::ostringstream out;
    out.imbue(std::locale::classic());
    const std::string steps = text(progress.steps);
    out << "step " << std::setw(static_cast<int>(steps.size())) << progress.step << '/' << steps;
    out << "  loss " << fixed(progress.loss, 4);
    if (progress.seconds > 0 && progress.tokens > 0) {
        const double rate = static_cast<double>(progress.tokens) / progress.seconds;
        out << "  " << fixed(rate, 0) << " tokens/s";
    }
    if (progress.seconds > 0 && progress.step > 0) {
        const double per_step = progress.seconds / static_cast<double>(progress.step);
        const double left = per_step * static_cast<double>(progress.steps - progress.step);
        if (left >= 0 && left < longest) out << "  " << time_text(left) << " left";
    }
    return out.str();
}

ProgressLine::ProgressLine(std::int64_t steps, CallSite site)
    : ProgressLine(steps, std::cerr, site) {
    out_ = error_stream_if_terminal();
}

ProgressLine::ProgressLine(std::int64_t steps, std::ostream& out, CallSite site)
    : out_(&out), progress_{.steps = steps}, start_(now()), next_show_(start_) {
    if (steps >= 1) return;
    fail_argument("ProgressLine", site, "steps is ", steps, "; it must be at least 1");
}

ProgressLine::~ProgressLine() {
    try {
        clear();
    } catch (...) {
        // A stream that throws: there is nothing left to clear on it.
    }
}

void ProgressLine::show(std::int64_t step, double loss, std::int64_t tokens) {
    progress_.step = step;
    progress_.loss = loss;
    progress_.tokens += tokens;
    const double time = now();
    if (!out_ || (time < next_show_ && step < progress_.steps)) return;
    next_show_ = time + 0.1;
    progress_.seconds = time - start_;
    std::string line = progress_text(progress_);
    const std::size_t length = line.size();
    if (length < shown_) line.append(shown_ - length, ' ');  // over the rest of a longer one
    *out_ << '\r' << line << std::flush;
    shown_ = length;
}

void ProgressLine::clear() {
    if (!out_ || shown_ == 0) return;
    *out_ << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
    shown_ = 0;
}

}  // namespace tutorial

// ProgressLine: one line on a terminal that says how far a training is, overwritten in place.
#pragma once

#include "../../tensor/call_site.h"

#include <cstdint>
#include <iosfwd>
#include <string>

namespace heed { inline namespace HEED_PRECISION {

struct TrainingProgress {
    std::int64_t step = 0;  // steps done
    std::int64_t steps = 0;
    double loss = 0;
    std::int64_t tokens = 0;  // tokens processed in all these steps; 0: not counted
    double seconds = 0;       // that they took
};

// "step  120/5000  loss 2.3456  8123 tokens/s  12:34 left": the mean rate so far, and the time that
// is left if it stays, as minutes:seconds or hours:minutes:seconds. Of rate and time, what cannot
// be known yet is left out. For a log: std::cout << progress_text(progress) << '\n';
std::string progress_text(const TrainingProgress& progress);

//     ProgressLine line(5000);
//     for (std::int64_t step = 1; step <= 5000; ++step) {
//         ...
//         line.show(step, average.value(), batch.inputs.numel());
//     }
//
// Goes to standard error, and only if that is a terminal: files, pipes and transcripts never see
// it. Before printing anything else to the terminal, call clear(). The end of its life clears it,
// too, also on an exception, whose message then stands alone.
class ProgressLine {
  public:
    // Error of both: steps below 1 (std::invalid_argument).
    explicit ProgressLine(std::int64_t steps, CallSite site = CallSite::here());
    // To a terminal behind `out`; for tests, and for a program with a stream of its own.
    ProgressLine(std::int64_t steps, std::ostream& out, CallSite site = CallSite::here());
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // After each step: its number, the loss to show, and the tokens in it, which are added up.
    // Writes at most ten times a second, but always the first and the last step.
    void show(std::int64_t step, double loss, std::int64_t tokens = 0);
    void clear();

  private:
    std::ostream* out_;  // null: no terminal
    TrainingProgress progress_;
    double start_;           // in seconds of the steady clock, as are the next
    double next_show_;       // the earliest time of it
    std::size_t shown_ = 0;  // characters of the line that stands there
};

}}  // namespace heed

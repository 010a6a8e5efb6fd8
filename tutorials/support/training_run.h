// A training run that --save keeps in a folder, --resume goes on with, and --load takes as it
// ended. Before the first, a lesson ends with --short.
//     for (TrainingRun run("gpt", 300, gpt, optimizer, random); run.next();) {
//         ... schedule(run.step()) ...
//         run.show(loss);
#pragma once

#include "nn/files/checkpoint.h"
#include "tutorials/support/options.h"
#include "tutorials/support/progress_line.h"

#include <cstdint>
#include <string>

namespace tutorial {

// Thrown with --short where the first run would begin.
struct TrainingLeftOut {};

// Called by run(). Errors (UsageError): two of the four; to load or resume, a folder that is not
// there; to save, one that cannot be made.
void keep_training(const Options& options);

// Steps 1 to `count`; of a run that was stopped, those that are left. With --save and --resume it
// is saved every 50 steps and after the last, as DIR/gpt.safetensors, from which load() and PyTorch
// read the model. A second run of the same name is DIR/gpt-2.safetensors.
class TrainingRun {
  public:
    // All numbers that the run draws must come from `random` or the model's layers. Errors: those
    // of Checkpoint::load(); with --load, a run that has not ended (std::runtime_error).
    template <class Model>
    TrainingRun(const std::string& name, std::int64_t count, Model& model,
                heed::Optimizer& optimizer, heed::Random& random)
        : TrainingRun(name, count) {
        run_.add("model", model);
        run_.add("optimizer", optimizer);
        run_.add("random", random);
        run_.add("step", done_);
        load();
    }
    TrainingRun(const TrainingRun&) = delete;

    // Is there another step? The one before is done now.
    bool next();
    std::int64_t step() const { return done_ + 1; }
    // On a terminal: how far the run is. `tokens` were in this step, if they are counted.
    void show(const heed::Variable& loss, std::int64_t tokens = 0);

  private:
    TrainingRun(const std::string& name, std::int64_t count);
    void load();

    bool in_step_ = false;
    std::string path_;
    std::int64_t count_, done_ = 0;
    heed::Checkpoint run_;
    ProgressLine progress_;
};

}  // namespace tutorial

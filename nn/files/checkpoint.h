// Checkpoint: all that the rest of a training run depends on, in one file. A run that loads it goes
// on bit for bit as if it had never stopped.
//
//     std::int64_t step = 0;
//     Checkpoint run;
//     run.add("model", model);
//     run.add("optimizer", optimizer);
//     run.add("random", random);
//     run.add("step", step);
//     if (resumed) run.load("run.safetensors");
//     while (step < 5000) {
//         ...
//         if (++step % 100 == 0) run.save("run.safetensors");
//     }
#pragma once

#include "../optim/optimizers.h"
#include "../training/batch_stream.h"
#include "../training/watch_loss.h"
#include "safetensors.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// The file is safetensors: numbers of parameters and optimizers as tensors, "model.fc.weight", all
// else as metadata. load(path, model) (save.h) reads the network from it alone.
class Checkpoint {
  public:
    // What is added must outlive the checkpoint, and stay where it is. Errors of all
    // (std::invalid_argument): a name that is empty, has a dot or is taken.
    // A network: its parameters, and the generators of its dropout layers.
    void add(const std::string& name, const LayerRef& network, CallSite site = CallSite::here());
    // An optimizer's state, and lr. A schedule has none: it follows from the step.
    void add(const std::string& name, Optimizer& optimizer, CallSite site = CallSite::here());
    void add(const std::string& name, Random& random, CallSite site = CallSite::here());
    void add(const std::string& name, BatchStream& batches, CallSite site = CallSite::here());
    void add(const std::string& name, ExponentialAverage& average,
             CallSite site = CallSite::here());
    void add(const std::string& name, int& number, CallSite site = CallSite::here());
    void add(const std::string& name, std::int64_t& number, CallSite site = CallSite::here());
    void add(const std::string& name, double& number, CallSite site = CallSite::here());
    void add(const std::string& name, std::vector<double>& numbers,
             CallSite site = CallSite::here());

    // Writes the file whole or not at all: if the program or the machine stops meanwhile, the last
    // one is there. Errors (std::runtime_error): it cannot be written; a parameter is NaN, or an
    // optimizer's moment not finite, as after a run that failed.
    void save(const std::string& path, CallSite site = CallSite::here()) const;

    // Sets all that was added, or on an error nothing. Errors: those of read_safetensors(); it is
    // not a checkpoint, or of a program of the other precision; it has a part that was not added,
    // or lacks one (std::runtime_error); a part does not fit (std::invalid_argument).
    void load(const std::string& path, CallSite site = CallSite::here());

  private:
    using Words = std::vector<std::uint64_t>;
    // What a part has in the file, under its own names.
    struct Contents {
        StateDict tensors;
        std::map<std::string, Words> words;
    };
    struct Part {
        std::string name;
        std::string kind;  // "network"
        std::function<Contents(const CallSite&)> contents;
        // Checks what the file has, and returns what then sets it.
        std::function<std::function<void()>(const Contents&, const CallSite&)> checked;
    };

    bool has(const std::string& name) const;
    void add_part(const Part& part, const CallSite& site);
    // A part that is `count` words, or, with 0, any number: now() gives them; state_of(words, site)
    // makes a state of them, or fails; set(state) cannot.
    template <class Now, class StateOf, class Set>
    void add_words(const std::string& name, const char* kind, std::size_t count, Now now,
                   StateOf state_of, Set set, const CallSite& site);
    std::map<std::string, Contents> read(const std::string& path, const CallSite& site) const;
    void check_parts(const std::map<std::string, std::string>& kinds, const std::string& path,
                     const CallSite& site) const;

    std::vector<Part> parts_;
};

// The only network of a checkpoint, under its own names; nothing if the file is not a checkpoint.
// Error: it has several networks, or none (std::runtime_error).
std::optional<StateDict> network_of(const std::string& path, CallSite site = CallSite::here());

}}  // namespace heed

// ForwardHook: shows the inputs and the output of each layer of a network, by name.
#pragma once

#include "../autograd/variable.h"
#include "module.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

// The variables that a layer is called with, at most three.
struct LayerInputs {
    const Variable* first = nullptr;
    const Variable* second = nullptr;
    const Variable* third = nullptr;
};

// One call of a layer. An Embedding, whose input is not a variable, has no inputs here; an
// attention layer has query, key and value.
struct LayerCall {
    std::string name;  // in the network, "blocks.0.fc"; "" for the network itself
    std::string type;  // "Linear"
    std::vector<Variable> inputs;
    Variable output;
};

//     ForwardHook hook(network, [](const LayerCall& call) {
//         std::cout << call.name << " gives " << call.output.shape() << '\n';
//     });
//     network(x);
// While it lives, the function is called after each call of a layer inside the network, in this
// thread, innermost layers first. Your own layers take part as nn's do, with Running (running.h).
// The function may throw, end this hook and others, and make hooks, which see later calls only. It
// may call the network. Error: such calls are nested 50 deep (std::runtime_error).
class ForwardHook {
  public:
    using Function = std::function<void(const LayerCall& call)>;

    // The network must not be copied, moved or changed while the hook lives. Errors: the function
    // is empty (std::invalid_argument); those of count_parameters() (module.h).
    ForwardHook(const ConstLayerRef& network, const Function& function,
                CallSite site = CallSite::here());
    ~ForwardHook();
    ForwardHook(const ForwardHook&) = delete;
    ForwardHook& operator=(const ForwardHook&) = delete;

    // For its lifetime, no hook of this thread sees a call.
    class Paused {
      public:
        Paused() { ++paused_; }
        ~Paused() { --paused_; }
        Paused(const Paused&) = delete;
        Paused& operator=(const Paused&) = delete;
    };

    // Called by Running at the end of a layer's call.
    static void called(const Module& layer, const LayerInputs& inputs, const Variable& output) {
        if (innermost_ && paused_ == 0) notify(layer, inputs, output);
    }

  private:
    static void notify(const Module& layer, const LayerInputs& inputs, const Variable& output);

    static thread_local ForwardHook* innermost_;
    static thread_local int paused_;

    struct Shown {
        std::map<const Module*, std::string> names;
        Function function;
        CallSite site;
        bool ended = false;
    };
    std::shared_ptr<Shown> shown_;  // also owned by a call of the function
    ForwardHook* outer_;
};

}}  // namespace heed

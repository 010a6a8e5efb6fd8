// StateDict: the parameter values of a network by name, in order. Names and layouts are PyTorch's,
// so weights can be exchanged with it.
#pragma once

#include "module.h"

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class StateDict {
  public:
    struct Entry {
        std::string name;
        Tensor value;
    };

    // Copies `value`. Error: the name is already there (std::invalid_argument).
    void add(const std::string& name, const Tensor& value, CallSite site = CallSite::here());
    // The same without a copy: what is written to `value` later is seen here.
    void add_shared(const std::string& name, const Tensor& value, CallSite site = CallSite::here());
    bool contains(const std::string& name) const;
    // Error: no such name (std::out_of_range, which lists the existing ones).
    const Tensor& at(const std::string& name, CallSite site = CallSite::here()) const;

    // Removes and returns the entry. Error: no such name, as above.
    Tensor take(const std::string& name, CallSite site = CallSite::here());

    std::size_t size() const { return entries_.size(); }
    std::vector<Entry>::const_iterator begin() const { return entries_.begin(); }
    std::vector<Entry>::const_iterator end() const { return entries_.end(); }

  private:
    const Entry* find(const std::string& name) const;

    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::size_t> place_;  // of each name in entries_
};

// The candidate that a wrong name is probably meant for; "" if none is near.
std::string nearest_name(const std::string& wrong, const std::vector<std::string>& candidates);

// Renames the entry `theirs`, a name in a state saved by PyTorch, to `ours`, if there is one.
// Returns a description of what is wrong, or "".
std::string rename(StateDict& state, const std::string& theirs, const std::string& ours);
std::string given_twice(const std::string& theirs, const std::string& ours);

// A copy of all parameters. A parameter with two names in the network appears under both, as do
// tied ones. Errors: those of count_parameters().
StateDict state_dict(const ConstLayerRef& layer, CallSite site = CallSite::here());

// Is there an entry that is not a number?
bool has_nan(const Tensor& x);

// Where a state comes from, for messages: load_state_dict(): this state does not fit ...
struct StateSource {
    const char* operation = "load_state_dict";
    std::string name = "this state";
    bool refuses_nan = false;
    bool is_file = false;  // parameters made WithoutValues keep its numbers, without a copy
};

// Gives the parameters, made WithoutValues, these values by name, which are not copied; one that is
// tied to another needs no value of its own.
void give_values(const std::vector<ParameterMember>& parameters,
                 const std::map<std::string, Tensor>& values);

void load_into(const Member& tree, const StateDict& state, const CallSite& site,
               const StateSource& source = {});
// The same in two steps: checks everything, and returns what then overwrites the parameters.
std::function<void()> checked_load(const Member& tree, const StateDict& state, const CallSite& site,
                                   const StateSource& source);

// Overwrites the parameters with the values in `state`; optimizers' handles stay valid. A layer may
// also accept other names for its parameters (MultiHeadAttention: PyTorch's). Of tied parameters
// one name is enough. Numbers are taken as they are, NaN and ∞ included. Errors
// (std::invalid_argument): missing or unexpected names, different shapes, different values for tied
// parameters: of each, ten are listed and the others counted, and nothing is loaded; those of
// parameters() (nn/module.h).
void load_state_dict(const LayerRef& layer, const StateDict& state,
                     CallSite site = CallSite::here());

}}  // namespace heed

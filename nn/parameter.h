// Parameter: a leaf owned by one layer, so that layers can be copied as values.
// A Variable is a handle, and its copies refer to the same node. A copied Parameter has values of
// its own. It can be used as a Variable: `Variable W = layer.weight;` is a handle to it.
#pragma once

#include "../autograd/variable.h"
#include "listed.h"

#include <string>

namespace heed { inline namespace HEED_PRECISION {

class Parameter : public Variable, private Listed {
  public:
    Parameter();  // not set: no value and no node
    // A leaf with a copy of `value`, called `name` in graphs and messages.
    explicit Parameter(const Tensor& value, const std::string& name = "");

    // A leaf of this shape, whose values are not there yet: fill it (init.h). While a WithoutValues
    // lives, it takes no memory.
    static Parameter unfilled(const Shape& shape, const std::string& name,
                              CallSite site = CallSite::here());

    // A copy has the same values and is frozen if the original is; it has no gradient yet. A copy
    // of a tied parameter has no values (tie(), below). A moved-from parameter is not set.
    Parameter(const Parameter& other);
    Parameter(Parameter&& other) noexcept;
    // Assignment overwrites the values in place and clears the gradient, so handles to this
    // parameter, such as an optimizer's, stay valid: after `network = best;` training can go on. It
    // becomes a new leaf, which old handles do not see, only if the shapes differ, or if this
    // parameter is tied and `other` is not. A moved parameter is taken over, and not copied, if
    // this one is not set, or if the moved one shares its value by a tie.
    Parameter& operator=(const Parameter& other);
    Parameter& operator=(Parameter&& other);
    // head.weight = tokens.weight would copy the numbers, where sharing may be meant.
    Parameter& operator=(Parameter&) = delete;  // write tie(a, b), or a = Parameter(b.value())

    bool is_set() const { return set_; }
    // Is it a copy of a tied parameter, and not tied again yet?
    bool is_untied_copy() const { return tie_ == Tie::untied_copy; }
    bool has_values() const;  // false: made WithoutValues, and not given any yet
    // Makes this parameter refer to `other`, which may be any variable: see replace_parameters
    // (module.h).
    void become(const Variable& other);

  private:
    friend class Listed;
    friend class MemberVisitor;
    friend class Optimizer;
    friend void tie(Parameter& parameter, Parameter& other, CallSite site);
    friend void untie(Parameter& parameter);
    void assign(const Parameter& other);

    enum class Tie { none, another_is_tied_to_it, tied, untied_copy };

    bool set_ = false;
    Tie tie_ = Tie::none;
};

// Weight tying (Press and Wolf 2017; Vaswani et al. 2017, section 3.4): makes `parameter` a second
// handle to `other`. They have one value, one gradient and one place in an optimizer, and count
// once. Make optimizers after tying, and after moving a network with ties into another.
//     tie(head.weight, tokens.weight);
// C++ copies members one by one, so a copy of `parameter` cannot know the copy of `other`. It has
// no values until it is tied again, and parameters(), save() and the layer that holds it refuse it
// in words. So a network with ties that is to be copied has a copy constructor, which copies the
// members and calls tie() again, as Gpt's does. Assigning such a network to another with the same
// ties and sizes, and moving it, need nothing.
// Errors: a parameter that was never set, or an untied copy as `other` (std::invalid_argument);
// different shapes (ShapeError).
void tie(Parameter& parameter, Parameter& other, CallSite site = CallSite::here());

// Makes a tied parameter a separate one, with the same values and no gradient.
void untie(Parameter& parameter);

// Error (std::invalid_argument): `parameter`, called `name`, is an untied copy.
void check_tie(const char* operation, const std::string& name, const Parameter& parameter,
               const CallSite& site);

// While one lives, the layers that this thread makes have parameters of the right shapes, and no
// values: nothing is drawn, and no memory is taken. Whoever loads a model then gives each parameter
// its values, with become().
class WithoutValues {
  public:
    WithoutValues() { ++living(); }
    ~WithoutValues() { --living(); }
    WithoutValues(const WithoutValues&) = delete;

    static bool lives() { return living() > 0; }

  private:
    static int& living();  // of this thread
};

// A layer's check of a parameter before it is used, since layers' parameters are public. Errors, in
// the layer's name: it is not set, as after a move, or an untied copy (std::invalid_argument); it
// has another number of axes, or another shape (ShapeError).
void check_parameter(const char* layer, const char* name, const Parameter& parameter, int rank,
                     const CallSite& site);
void check_parameter(const char* layer, const char* name, const Parameter& parameter,
                     const Shape& shape, const CallSite& site);

// A parameter and its name in a network ("0.weight"), as optimizers take it. The name may be empty:
// SGD optimizer({W, b}, {.lr = 0.1});
struct NamedParameter {
    NamedParameter(const Variable& variable) : parameter(variable) {}
    NamedParameter(const std::string& full_name, const Variable& variable)
        : name(full_name), parameter(variable) {}

    std::string name;
    Variable parameter;
};

}}  // namespace heed

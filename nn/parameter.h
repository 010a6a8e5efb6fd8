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

    // A copy has the same values and is frozen if the original is; it has no gradient yet. A
    // moved-from parameter is not set.
    Parameter(const Parameter& other);
    Parameter(Parameter&& other) noexcept;
    // Assignment overwrites the values in place and clears the gradient, so handles to this
    // parameter, such as an optimizer's, stay valid: after `network = best;` training can go on. It
    // becomes a new leaf, which old handles do not see, only if the shapes differ, or if a network
    // with other ties is assigned (nn/tie.h). A parameter that is not set takes over one that is
    // moved into it.
    Parameter& operator=(const Parameter& other);
    Parameter& operator=(Parameter&& other);
    // head.weight = tokens.weight would copy the numbers, where sharing may be meant.
    Parameter& operator=(Parameter&) = delete;  // write tie(a, b), or a = Parameter(b.value())

    bool is_set() const { return set_; }
    bool has_values() const;  // false: made WithoutValues, and not given any yet
    // Makes this parameter refer to `other`, which may be any variable: see replace_parameters
    // (module.h).
    void become(const Variable& other);

  private:
    friend class Listed;
    friend class MemberVisitor;
    friend class Optimizer;
    void assign(const Parameter& other);

    bool set_ = false;
};

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
// the layer's name: it is not set, as after a move (std::invalid_argument); it has another number
// of axes, or another shape (ShapeError).
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

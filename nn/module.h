// Module: what all layers have in common, which is one duty, to say what their members are.
// Names, counts, training or evaluating, printing, saving: all of that follows from it.
//
//     struct Network : Module {
//         Linear hidden, output;
//         explicit Network(Random& random) : hidden(2, 16, random), output(16, 1, random) {}
//         Variable operator()(const Variable& x, Where where = Where::here()) const;
//         void members(MemberVisitor& visit) override {
//             visit("hidden", hidden);
//             visit("output", output);
//         }
//     };
//
// Layers are values: a copy has its own numbers (nn/parameter.h). A member that members() does not
// visit is not trained, not saved and not counted.
#pragma once

#include "heed/nn/parameter.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace heed {
inline namespace HEED_PRECISION {

class MemberVisitor;
class StateDict;
struct Member;

class Module {
  public:
    virtual ~Module() = default;

    virtual void members(MemberVisitor& visit) = 0;
    // What stands between the brackets where the layer is printed: "p=0.1".
    virtual std::string details() const { return ""; }
    // A state saved elsewhere may have other names for this layer's numbers: those that begin with
    // `prefix` are replaced by ours. Returns what is wrong with them, "\n  wrong shape: ...", or
    // "".
    virtual std::string adopt(StateDict& state, const std::string& prefix) const;

    // Is it being trained (as every layer is at first), or evaluated? Dropout asks.
    bool training() const { return training_; }
    void train(bool training = true);  // this layer and all below it
    void eval() { train(false); }

  protected:
    Module() = default;
    Module(const Module&) = default;
    Module& operator=(const Module&) = default;

  private:
    static void set_training(const Member& tree, bool training);

    bool training_ = true;
};

// One member with those below it: a parameter, a layer, or a list of such.
struct Member {
    std::string name;
    Parameter* parameter = nullptr;
    Module* module = nullptr;
    std::vector<Member> members = {};
};

// Notes the members of one layer, and of the layers in it.
class MemberVisitor {
  public:
    explicit MemberVisitor(const CallSite& site) : site_(site) {}

    // Errors (std::invalid_argument): an empty name, one with a dot, or one that is taken; a
    // parameter that was never set.
    void operator()(const std::string& name, Parameter& parameter);
    void operator()(const std::string& name, Module& module);
    // The entries of a list are called "name.0", "name.1", ...
    template <class T>
    void operator()(const std::string& name, std::vector<T>& list) {
        MemberVisitor entries(site_);
        for (std::size_t i = 0; i < list.size(); ++i) entries(std::to_string(i), list[i]);
        add(Member{name, nullptr, nullptr, entries.found_});
    }

    const std::vector<Member>& found() const { return found_; }

  private:
    void add(const Member& member);

    std::vector<Member> found_;
    CallSite site_;
};

// The layer itself, without a name, with all members below it. Errors: those of MemberVisitor.
Member member_tree(Module& module, CallSite site = CallSite::here());
// The same of a layer that must not change: for reading.
Member readable_member_tree(const Module& module, CallSite site = CallSite::here());

// The parameters in a tree by their dotted names; one that was visited twice has two names.
struct ParameterMember {
    std::string name;
    Parameter* parameter;
};
std::vector<ParameterMember> parameter_members(const Member& tree);

// All parameters in the order of members(), with dotted names such as "layers.0.weight", which
// are PyTorch's. One that is met again under another name is listed once.
std::vector<NamedParameter> parameters(Module& module, CallSite site = CallSite::here());
std::int64_t count_parameters(const Module& module, CallSite site = CallSite::here());  // numbers

void zero_grad(Module& module, CallSite site = CallSite::here());
// false freezes all parameters: no gradient is worked out for them, and no optimizer moves them.
void set_requires_grad(Module& module, bool required, CallSite site = CallSite::here());

// Puts these variables in the place of the parameters, in their order, until the layer is
// assigned to or replaced in again: so gradcheck can take a layer's parameters as inputs, and one
// network can make the weights of another. Copies of the layer have ordinary parameters.
// Errors: another number of variables (std::invalid_argument), another shape (ShapeError).
void replace_parameters(Module& module, const std::vector<Variable>& variables,
                        CallSite site = CallSite::here());

// "Linear", for a Linear in any namespace.
std::string type_name(const Module& module);

// A line for each layer, those inside it indented, with the count of parameters.
std::ostream& operator<<(std::ostream& out, const Module& module);

}  // namespace HEED_PRECISION
}  // namespace heed

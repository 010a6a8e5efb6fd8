// Module: the base class of all layers. A layer only lists its members; names, parameter counts,
// training mode, printing and saving all follow from that list.
//
//     struct Network : Module {
//         Linear hidden, output;
//         explicit Network(Random& random) : hidden(2, 16, random), output(16, 1, random) {}
//         Variable operator()(const Variable& x, CallSite site = CallSite::here()) const;
//         void members(MemberVisitor& visit) override {
//             visit("hidden", hidden);
//             visit("output", output);
//         }
//     };
//
// Layers are values: a copy has its own parameters (nn/parameter.h). A member that members() does
// not visit is not trained, saved or counted.
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
    // Text printed between the parentheses after the layer's type: "p=0.1".
    virtual std::string details() const { return ""; }
    // Lets a state saved elsewhere use other names for this layer's parameters: replaces those
    // names, which begin with `prefix`, by ours. Returns a description of what is wrong with them,
    // "\n  wrong shape: ...", or "".
    virtual std::string adopt(StateDict& state, const std::string& prefix) const;

    // Training mode (the default) or evaluation mode? Dropout depends on it.
    bool training() const { return training_; }
    void train(bool training = true);  // this layer and all layers inside it
    void eval() { train(false); }

  protected:
    Module() = default;
    Module(const Module&) = default;
    Module& operator=(const Module&) = default;

  private:
    static void set_training(const Member& tree, bool training);

    bool training_ = true;
};

// One member and its submembers: a parameter, a layer, or a list of these.
struct Member {
    std::string name;
    Parameter* parameter = nullptr;
    Module* module = nullptr;
    std::vector<Member> members = {};
};

// Collects the members of a layer and of the layers inside it.
class MemberVisitor {
  public:
    explicit MemberVisitor(const CallSite& site) : site_(site) {}

    // Errors (std::invalid_argument): a name that is empty, contains a dot or is already used; a
    // parameter that was never set.
    void operator()(const std::string& name, Parameter& parameter);
    void operator()(const std::string& name, Module& module);
    // List entries are named "name.0", "name.1", ...
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

// The layer itself, unnamed, with all members below it. Errors: those of MemberVisitor.
Member member_tree(Module& module, CallSite site = CallSite::here());
// The same for a const layer. The tree is for reading only.
Member readable_member_tree(const Module& module, CallSite site = CallSite::here());

// The parameters of a tree with their dotted names; one that was visited twice has two names.
struct ParameterMember {
    std::string name;
    Parameter* parameter;
};
std::vector<ParameterMember> parameter_members(const Member& tree);

// All parameters in the order of members(), with PyTorch's dotted names, such as "layers.0.weight".
// A parameter reached under a second name is listed once.
std::vector<NamedParameter> parameters(Module& module, CallSite site = CallSite::here());
std::int64_t count_parameters(const Module& module, CallSite site = CallSite::here());  // scalars

void zero_grad(Module& module, CallSite site = CallSite::here());
// false freezes all parameters: they get no gradient, and no optimizer updates them.
void set_requires_grad(Module& module, bool required, CallSite site = CallSite::here());

// Replaces the parameters by these variables, in order, until the layer is assigned to or replaced
// again. This lets gradcheck take a layer's parameters as inputs, and lets one network produce the
// weights of another. Copies of the layer have ordinary parameters. Errors: a different number of
// variables (std::invalid_argument), a different shape (ShapeError).
void replace_parameters(Module& module, const std::vector<Variable>& variables,
                        CallSite site = CallSite::here());

// "Linear", for a Linear in any namespace.
std::string type_name(const Module& module);

// One line per layer, nested layers indented, with parameter counts.
std::ostream& operator<<(std::ostream& out, const Module& module);

}  // namespace HEED_PRECISION
}  // namespace heed

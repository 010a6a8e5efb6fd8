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
// not visit would not be trained, saved or counted: parameters(), save(), load() and every other
// function that needs all members refuse the network and name the member. train(), eval() and
// printing do not know the size of the layer's class, so they do not check.
#pragma once

#include "../tensor/random.h"
#include "listed.h"
#include "parameter.h"

#include <array>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace heed { inline namespace HEED_PRECISION {

class MemberVisitor;
class Module;
class StateDict;
struct Member;
template <class Interface>
class Any;

// A reference to a layer of any class, with the size of that class, by which check_members() finds
// members that were forgotten. Every layer converts to one. `Base` is Module or const Module.
template <class Base>
struct SizedRef {
    Base& layer;
    std::size_t bytes;

    template <class Layer>
    requires(std::convertible_to<std::remove_reference_t<Layer>*, Base*> &&
             (std::is_const_v<Base> || std::is_lvalue_reference_v<Layer>)) SizedRef(Layer&& object)
        : layer(object), bytes(sizeof(Layer)) {}
};
using LayerRef = SizedRef<Module>;
using ConstLayerRef = SizedRef<const Module>;

class Module : private Listed {
  public:
    virtual ~Module() = default;

    virtual void members(MemberVisitor& visit) = 0;
    // Text printed between the parentheses after the layer's type: "p=0.1".
    virtual std::string details() const { return ""; }
    // Lets a state saved elsewhere use other names for this layer's parameters: replaces those
    // names, which begin with `prefix`, by ours. Returns a description of what is wrong with them,
    // "\n  wrong shape: ...", or "".
    virtual std::string adopt(StateDict& state, const std::string& prefix) const;
    // The generator of a layer that draws random numbers when it is called, such as Dropout.
    virtual Random* generator() { return nullptr; }
    // Would a call draw from the generator now?
    virtual bool draws() const { return false; }

    // Training mode (the default) or evaluation mode? Dropout depends on it.
    bool training() const { return training_; }
    void train(bool training = true);  // this layer and all layers inside it
    void eval() { train(false); }

    // model.parameters() does not compile: a layer does not know how large the class is that
    // derives from it, by which parameters(model) finds forgotten members.
    template <class Layer = void>
    static std::vector<NamedParameter> parameters() {
        static_assert(always_false<Layer>, "heed: for model.parameters() write parameters(model)");
        return {};
    }
    // So that a member function of a layer can say parameters(*this).
    static std::vector<NamedParameter> parameters(const LayerRef& layer,
                                                  CallSite site = CallSite::here());

  protected:
    Module() : Listed(Kind::module) {}
    Module(const Module&) = default;
    Module(Module&&) = default;
    Module& operator=(const Module&) = default;
    Module& operator=(Module&&) = default;

  private:
    friend class Listed;
    friend class MemberVisitor;

    bool training_ = true;
};

// One member and its submembers: a parameter, a layer, or a list of these.
struct Member {
    struct Bytes {
        const void* start;
        std::size_t size;
    };

    std::string name;
    Parameter* parameter = nullptr;
    Module* module = nullptr;
    std::size_t bytes = 0;  // the size of the layer
    std::vector<Member> members = {};
    std::vector<Bytes> left_out = {};  // members of the layer that are deliberately not visited
};

// Collects the members of a layer and of the layers inside it.
class MemberVisitor {
  public:
    explicit MemberVisitor(const CallSite& site) : site_(site) {}

    // Errors (std::invalid_argument): a name that is empty, contains a dot or is already used; a
    // parameter that was never set, or is an untied copy; a layer that holds itself, or whose
    // members() calls a function that asks for its members again; a list, or a member that was
    // visited, changes meanwhile.
    void operator()(const std::string& name, Parameter& parameter);
    template <std::derived_from<Module> Layer>
    void operator()(const std::string& name, Layer& layer) {
        visit_layer(name, layer, sizeof(Layer));
    }
    // List entries are named "name.0", "name.1", ...
    template <class T>
    void operator()(const std::string& name, std::vector<T>& list) {
        visit_list(name, list);
    }
    template <class T, std::size_t n>
    void operator()(const std::string& name, std::array<T, n>& list) {
        visit_list(name, list);
    }
    // An empty optional, pointer or Any (any.h) has no members.
    template <class T>
    void operator()(const std::string& name, std::optional<T>& member) {
        if (member) (*this)(name, *member);
    }
    template <class T>
    void operator()(const std::string& name, std::unique_ptr<T>& member) {
        if (member) (*this)(name, *member);
    }
    template <class Interface>
    void operator()(const std::string& name, Any<Interface>& layer) {
        layer.visit_as(name, *this);
    }
    // A member that is deliberately neither trained nor saved, such as a frozen teacher.
    template <class T>
    void leave_out(const T& member) {
        found_.left_out.push_back({&member, sizeof(T)});
    }

  private:
    friend Member member_tree(const LayerRef& layer, CallSite site);

    MemberVisitor(const Member& found, const MemberVisitor& outer)
        : found_(found), site_(outer.site_) {}

    template <class List>
    void visit_list(const std::string& name, List& list) {
        MemberVisitor entries(Member{.name = name}, *this);
        const std::size_t size = list.size();
        const void* const first = list.data();
        for (std::size_t i = 0; i < size; ++i) {
            entries(std::to_string(i), list[i]);
            if (list.size() != size || list.data() != first) fail_changed(name);
        }
        add(entries.found_);
    }
    [[noreturn]] void fail_changed(const std::string& list) const;
    void visit_layer(const std::string& name, Module& layer, std::size_t bytes);
    void add(const Member& member);

    Member found_;
    CallSite site_;
};

// The layer itself, unnamed, with all members below it. Errors: those of MemberVisitor.
Member member_tree(const LayerRef& layer, CallSite site = CallSite::here());
// The same for a const layer. The tree is for reading only.
Member readable_member_tree(const ConstLayerRef& layer, CallSite site = CallSite::here());

// The parameters of a tree with their dotted names; one that was visited twice has two names.
struct ParameterMember {
    std::string name;
    Parameter* parameter;
};
std::vector<ParameterMember> parameter_members(const Member& tree);

// The layers of a tree with their dotted names, each before the layers inside it. The first is the
// tree's own layer, "".
struct LayerMember {
    std::string name;
    Module* module;
};
std::vector<LayerMember> layer_members(const Member& tree);

// Error (std::invalid_argument): the bytes of a layer contain a layer or parameter that its
// members() neither visits nor leaves out, so it would not be trained, saved or switched to
// evaluation. A forgotten std::vector or std::unique_ptr holds its layers elsewhere:
// Optimizer::step() finds those that were used.
void check_complete(const Member& tree, const CallSite& site);
// Errors (std::invalid_argument): that of check_complete; two layers would draw the same random
// numbers, since one is a copy of the other.
void check_members(const Member& tree, const CallSite& site);

// The tree of a layer after check_complete(). That of a const layer is for reading only.
Member complete_member_tree(const LayerRef& layer, const CallSite& site);
Member complete_member_tree(const ConstLayerRef& layer, const CallSite& site);

// All parameters in the order of members(), with PyTorch's dotted names, such as "layers.0.weight".
// A parameter that has a second name, or is tied to another, is listed once.
// Errors (std::invalid_argument): those of member_tree and of check_members.
std::vector<NamedParameter> parameters(const LayerRef& layer, CallSite site = CallSite::here());
// The number of scalars. Errors: those of member_tree and of check_complete.
std::int64_t count_parameters(const ConstLayerRef& layer, CallSite site = CallSite::here());

// Errors: those of parameters().
void zero_grad(const LayerRef& layer, CallSite site = CallSite::here());
// false freezes all parameters: they get no gradient, and no optimizer updates them. Errors: those
// of parameters().
void set_requires_grad(const LayerRef& layer, bool required, CallSite site = CallSite::here());

// Gives each layer that draws random numbers a new generator, seeded from `random`. A copied layer
// draws the numbers of the original: after std::vector<Block> blocks(6, block), reseed each.
// Errors: those of count_parameters().
void reseed(const LayerRef& layer, Random& random, CallSite site = CallSite::here());

// Replaces the parameters by these variables, in order, until the layer is assigned to or replaced
// again. This lets gradcheck take a layer's parameters as inputs, and lets one network produce the
// weights of another. Copies of the layer have ordinary parameters. Errors: a different number of
// variables (std::invalid_argument), a different shape (ShapeError); those of count_parameters().
void replace_parameters(const LayerRef& layer, const std::vector<Variable>& variables,
                        CallSite site = CallSite::here());

// "Linear", for a Linear in any namespace.
std::string type_name(const Module& module);

// One line per layer that members() visits, nested layers indented, with parameter counts.
std::ostream& operator<<(std::ostream& out, const Module& module);

}}  // namespace heed

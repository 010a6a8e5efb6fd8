// The member tree is rebuilt for each query: layers may be copied and moved at any time, so no
// pointers to members are kept.
#include "module.h"

#include "../autograd/node.h"
#include "../tensor/errors.h"

#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <set>
#include <typeinfo>

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::string dotted(const std::string& outer, const std::string& name) {
    return outer.empty() ? name : outer + "." + name;
}

void list_parameters(const Member& member, const std::string& name,
                     std::vector<ParameterMember>& list) {
    if (member.parameter) list.push_back({name, member.parameter});
    for (const Member& inner : member.members) {
        list_parameters(inner, dotted(name, inner.name), list);
    }
}

void list_layers(const Member& member, const std::string& name, std::vector<LayerMember>& list) {
    if (member.module) list.push_back({name, member.module});
    for (const Member& inner : member.members) list_layers(inner, dotted(name, inner.name), list);
}

// Each parameter once, under its first name.
std::vector<ParameterMember> distinct_parameters(const Member& tree) {
    std::vector<ParameterMember> distinct;
    std::set<const Node*> known;
    for (const ParameterMember& member : parameter_members(tree)) {
        if (known.insert(member.parameter->node().get()).second) distinct.push_back(member);
    }
    return distinct;
}

std::int64_t scalars(const Member& tree) {
    std::int64_t count = 0;
    for (const ParameterMember& member : distinct_parameters(tree)) {
        count += member.parameter->numel();
    }
    return count;
}

std::string count_text(const Member& member) {
    const std::int64_t count = scalars(member);
    if (count == 0) return "";
    return text("  ", count, count == 1 ? " parameter" : " parameters");
}

std::string tree_text(const Member& member, const std::string& indent);

std::string lines_text(const std::vector<Member>& members, const std::string& indent) {
    std::string lines = "\n";
    for (const Member& member : members) {
        lines += indent + "  (" + member.name + "): " + tree_text(member, indent + "  ") + "\n";
    }
    return lines + indent;
}

bool has_layers(const Member& member) {
    for (const Member& inner : member.members) {
        if (!inner.parameter) return true;
    }
    return false;
}

std::string tree_text(const Member& member, const std::string& indent) {
    if (member.parameter) {
        return text("Parameter ", member.parameter->shape(), count_text(member));
    }
    if (!member.module) return "[" + lines_text(member.members, indent) + "]";

    // The details of a layer such as Linear or LayerNorm already describe its parameters.
    std::string inside = member.module->details();
    const bool says_all = !inside.empty() && !has_layers(member);
    if (!says_all && !member.members.empty()) inside += lines_text(member.members, indent);
    return type_name(*member.module) + "(" + inside + ")" + count_text(member);
}

// For its lifetime, members() of this layer runs.
class Visiting {
  public:
    explicit Visiting(const Module& layer) : layer_(&layer), outer_(innermost) { innermost = this; }
    ~Visiting() { innermost = outer_; }
    Visiting(const Visiting&) = delete;
    Visiting& operator=(const Visiting&) = delete;

    static bool runs_for(const Module& layer) {
        for (const Visiting* each = innermost; each; each = each->outer_) {
            if (each->layer_ == &layer) return true;
        }
        return false;
    }

  private:
    inline static thread_local const Visiting* innermost = nullptr;

    const Module* layer_;
    const Visiting* outer_;
};

// If a layer or parameter ended during the visit, the tree may point to it.
void check_alive(const Member& tree, const CallSite& site) {
    std::set<const void*> living;
    for (const Listed* listed : Listed::all()) {
        living.insert(listed->module());
        living.insert(listed->parameter());
    }
    bool all_live = true;
    for (const LayerMember& each : layer_members(tree)) {
        all_live = all_live && living.count(each.module) > 0;
    }
    for (const ParameterMember& each : parameter_members(tree)) {
        all_live = all_live && living.count(each.parameter) > 0;
    }
    if (all_live) return;
    fail_argument("members", site, "the members() of a ", type_name(*tree.module),
                  " destroyed or moved a member that was visited; it must only visit");
}

}  // namespace

std::string Module::adopt(StateDict&, const std::string&) const { return ""; }

void Module::train(bool training) {
    for (const LayerMember& layer : layer_members(member_tree(*this))) {
        layer.module->training_ = training;
    }
}

void MemberVisitor::operator()(const std::string& name, Parameter& parameter) {
    check_tie("members", name, parameter, site_);
    if (!parameter.is_set()) {
        fail_argument("members", site_, "the parameter '", name,
                      "' was never set; give it numbers in the layer's constructor, or do not "
                      "visit it");
    }
    parameter.make_known();
    add(Member{.name = name, .parameter = &parameter});
}

void MemberVisitor::visit_layer(const std::string& name, Module& layer, std::size_t bytes) {
    if (Visiting::runs_for(layer)) {
        fail_argument(
            "members", site_, "'", name, "' is a ", type_name(layer),
            " that holds itself; members() must visit what a layer holds, not the layer itself");
    }
    layer.make_known();
    MemberVisitor inner(Member{.name = name, .module = &layer, .bytes = bytes}, *this);
    {
        const Visiting visiting(layer);
        layer.members(inner);
    }
    add(inner.found_);
}

void MemberVisitor::fail_changed(const std::string& list) const {
    fail_argument("members", site_, "the list '", list,
                  "' changed while its elements were visited; members() must only visit");
}

void MemberVisitor::add(const Member& member) {
    if (member.name.empty() || member.name.find('.') != std::string::npos) {
        fail_argument("members", site_, "'", member.name,
                      "' is not a valid name for a member: it must not be empty or contain a dot, "
                      "which separates the names of layers");
    }
    for (const Member& other : found_.members) {
        if (other.name != member.name) continue;
        fail_argument("members", site_, "two members of one layer are called '", member.name,
                      "'; each needs its own name");
    }
    found_.members.push_back(member);
}

Member member_tree(const LayerRef& layer, CallSite site) {
    if (Visiting::runs_for(layer.layer)) {
        const std::string type = type_name(layer.layer);
        fail_argument("members", site, "the members() of a ", type,
                      " asks for the members of this ", type,
                      " again, as parameters() and similar functions do; it must only visit");
    }
    MemberVisitor visitor(site);
    visitor.found_.module = &layer.layer;
    visitor.found_.bytes = layer.bytes;
    const std::int64_t ended = Listed::ended_here();
    const Visiting visiting(layer.layer);
    layer.layer.members(visitor);
    if (Listed::ended_here() != ended) check_alive(visitor.found_, site);
    return visitor.found_;
}

// members() is not const because it hands out mutable members. Nothing is modified here.
Member readable_member_tree(const ConstLayerRef& layer, CallSite site) {
    LayerRef writable(const_cast<Module&>(layer.layer));
    writable.bytes = layer.bytes;
    return member_tree(writable, site);
}

std::vector<ParameterMember> parameter_members(const Member& tree) {
    std::vector<ParameterMember> list;
    list_parameters(tree, "", list);
    return list;
}

std::vector<LayerMember> layer_members(const Member& tree) {
    std::vector<LayerMember> list;
    list_layers(tree, "", list);
    return list;
}

std::vector<NamedParameter> parameters(const LayerRef& layer, CallSite site) {
    const Member tree = member_tree(layer, site);
    check_members(tree, site);
    std::vector<NamedParameter> list;
    for (const ParameterMember& member : distinct_parameters(tree)) {
        list.emplace_back(member.name, *member.parameter);
    }
    return list;
}

std::vector<NamedParameter> Module::parameters(const LayerRef& layer, CallSite site) {
    return heed::parameters(layer, site);
}

Member complete_member_tree(const LayerRef& layer, const CallSite& site) {
    const Member tree = member_tree(layer, site);
    check_complete(tree, site);
    return tree;
}

Member complete_member_tree(const ConstLayerRef& layer, const CallSite& site) {
    const Member tree = readable_member_tree(layer, site);
    check_complete(tree, site);
    return tree;
}

std::int64_t count_parameters(const ConstLayerRef& layer, CallSite site) {
    return scalars(complete_member_tree(layer, site));
}

void zero_grad(const LayerRef& layer, CallSite site) {
    for (NamedParameter& named : parameters(layer, site)) named.parameter.zero_grad();
}

void set_requires_grad(const LayerRef& layer, bool required, CallSite site) {
    for (NamedParameter& named : parameters(layer, site)) {
        named.parameter.set_requires_grad(required, site);
    }
}

void reseed(const LayerRef& layer, Random& random, CallSite site) {
    for (const LayerMember& each : layer_members(complete_member_tree(layer, site))) {
        Random* const generator = each.module->generator();
        if (generator) *generator = Random(random.next());
    }
}

void replace_parameters(const LayerRef& layer, const std::vector<Variable>& variables,
                        CallSite site) {
    const Member tree = complete_member_tree(layer, site);
    const std::vector<ParameterMember> members = distinct_parameters(tree);
    if (members.size() != variables.size()) {
        fail_argument("replace_parameters", site, type_name(layer.layer), " has ", members.size(),
                      " parameters, but ", variables.size(),
                      " variables were given; there must be one for each");
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i].parameter->shape() == variables[i].shape()) continue;
        fail_shape("replace_parameters", site, "'", members[i].name, "' has shape ",
                   members[i].parameter->shape(), " and variable ", i, " has ",
                   variables[i].shape(), "; they must be equal");
    }
    std::map<const Node*, Variable> replacements;  // tied parameters get the same variable
    for (std::size_t i = 0; i < members.size(); ++i) {
        replacements.emplace(members[i].parameter->node().get(), variables[i]);
    }
    for (const ParameterMember& member : parameter_members(tree)) {
        member.parameter->become(replacements.at(member.parameter->node().get()));
    }
}

std::string type_name(const Module& module) {
    int status = 0;
    const char* mangled = typeid(module).name();
    const std::unique_ptr<char, void (*)(void*)> readable(
        abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
    const std::string name = status == 0 ? readable.get() : mangled;
    const std::size_t arguments = name.find('<');
    const std::size_t colon = name.rfind(':', arguments);
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

std::ostream& operator<<(std::ostream& out, const Module& module) {
    return out << tree_text(readable_member_tree(module), "");
}

}}  // namespace heed

// The member tree is rebuilt for each query: layers may be copied and moved at any time, so no
// pointers to members are kept.
#include "heed/nn/module.h"

#include "heed/tensor/errors.h"

#include <set>

namespace heed {
inline namespace HEED_PRECISION {

namespace {

void list_parameters(const Member& member, const std::string& name,
                     std::vector<ParameterMember>& list) {
    if (member.parameter) list.push_back({name, member.parameter});
    for (const Member& inner : member.members) {
        list_parameters(inner, name.empty() ? inner.name : name + "." + inner.name, list);
    }
}

// Each parameter once, under its first name.
std::vector<ParameterMember> distinct_parameters(const Member& tree) {
    std::vector<ParameterMember> distinct;
    std::set<const Parameter*> known;
    for (const ParameterMember& member : parameter_members(tree)) {
        if (known.insert(member.parameter).second) distinct.push_back(member);
    }
    return distinct;
}

}  // namespace

std::string Module::adopt(StateDict&, const std::string&) const { return ""; }

void Module::train(bool training) { set_training(member_tree(*this), training); }

void Module::set_training(const Member& tree, bool training) {
    if (tree.module) tree.module->training_ = training;
    for (const Member& inner : tree.members) set_training(inner, training);
}

void MemberVisitor::operator()(const std::string& name, Parameter& parameter) {
    if (!parameter.is_set()) {
        fail_argument("members",
                      text("the parameter '", name,
                           "' was never set; give it numbers in the layer's constructor, or do not "
                           "visit it"),
                      site_);
    }
    add(Member{name, &parameter, nullptr});
}

void MemberVisitor::operator()(const std::string& name, Module& module) {
    MemberVisitor inner(site_);
    module.members(inner);
    add(Member{name, nullptr, &module, inner.found_});
}

void MemberVisitor::add(const Member& member) {
    if (member.name.empty() || member.name.find('.') != std::string::npos) {
        fail_argument("members",
                      text("'", member.name,
                           "' is not a member's name: it must not be empty and have no dot, which "
                           "separates the names of layers"),
                      site_);
    }
    for (const Member& other : found_) {
        if (other.name != member.name) continue;
        fail_argument("members",
                      text("two members of one layer are called '", member.name,
                           "'; each needs a name of its own"),
                      site_);
    }
    found_.push_back(member);
}

Member member_tree(Module& module, CallSite site) {
    MemberVisitor visitor(site);
    module.members(visitor);
    return Member{"", nullptr, &module, visitor.found()};
}

// members() is not const because it hands out mutable members. Nothing is modified here.
Member readable_member_tree(const Module& module, CallSite site) {
    return member_tree(const_cast<Module&>(module), site);
}

std::vector<ParameterMember> parameter_members(const Member& tree) {
    std::vector<ParameterMember> list;
    list_parameters(tree, "", list);
    return list;
}

std::vector<NamedParameter> parameters(Module& module, CallSite site) {
    std::vector<NamedParameter> list;
    for (const ParameterMember& member : distinct_parameters(member_tree(module, site))) {
        list.emplace_back(member.name, *member.parameter);
    }
    return list;
}

std::int64_t count_parameters(const Module& module, CallSite site) {
    std::int64_t count = 0;
    const Member tree = readable_member_tree(module, site);
    for (const ParameterMember& member : distinct_parameters(tree))
        count += member.parameter->numel();
    return count;
}

void zero_grad(Module& module, CallSite site) {
    for (NamedParameter& named : parameters(module, site)) named.parameter.zero_grad();
}

void set_requires_grad(Module& module, bool required, CallSite site) {
    for (NamedParameter& named : parameters(module, site)) {
        named.parameter.set_requires_grad(required, site);
    }
}

void replace_parameters(Module& module, const std::vector<Variable>& variables, CallSite site) {
    const std::vector<ParameterMember> members = distinct_parameters(member_tree(module, site));
    if (members.size() != variables.size()) {
        fail_argument("replace_parameters",
                      text(type_name(module), " has ", members.size(), " parameters, ",
                           variables.size(), " variables were given; there must be one for each"),
                      site);
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i].parameter->shape() == variables[i].shape()) continue;
        fail_shape("replace_parameters",
                   text("'", members[i].name, "' has shape ", members[i].parameter->shape(),
                        ", variable ", i, " has ", variables[i].shape(), "; they must be equal"),
                   site);
    }
    for (std::size_t i = 0; i < members.size(); ++i) members[i].parameter->become(variables[i]);
}

}  // namespace HEED_PRECISION
}  // namespace heed

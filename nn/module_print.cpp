// Printing a network as an indented tree.
#include "../tensor/errors.h"
#include "module.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <ostream>
#include <typeinfo>

namespace heed { inline namespace HEED_PRECISION {
namespace {
std::string count_text(const Member& member) {
    const std::int64_t count =
        member.parameter ? member.parameter->numel() : count_parameters(*member.module);
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

}  // namespace

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

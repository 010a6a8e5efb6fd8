#include "tests/autograd/faults/planted.h"

#include "autograd/ops/arithmetic.h"
#include "tensor/factories.h"

namespace faults {

namespace {

std::set<std::string>& declared() {
    static std::set<std::string> names;
    return names;
}

std::string on;
std::set<std::string> seen;

}  // namespace

const std::set<std::string>& all() { return declared(); }

bool declare(std::initializer_list<const char*> names) {
    for (const char* name : names) declared().insert(name);
    return true;
}

void switch_on(const std::string& name) {
    on = name;
    seen.clear();
}

const std::set<std::string>& reached() { return seen; }

heed::Variable planted(const char* name, const heed::Variable& right) {
    seen.insert(name);
    if (on != name) return right;
    // With create_graph, this addition is recorded and differentiated, too.
    return right + heed::Variable(heed::tensor::full(right.shape(), 0.125));
}

}  // namespace faults

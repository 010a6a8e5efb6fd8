#include "tests/autograd/faults/planted.h"

#include "nn/heed.h"

namespace faults {
namespace {
struct Declared {
    std::set<std::string> faults, operations;
};

Declared& declared() {
    static Declared names;
    return names;
}

std::string on;
std::set<std::string> seen;

}  // namespace

const std::set<std::string>& all() { return declared().faults; }

const std::set<std::string>& operations() { return declared().operations; }

bool declare(std::initializer_list<const char*> faults,
             std::initializer_list<const char*> operations) {
    declared().faults.insert(faults.begin(), faults.end());
    declared().operations.insert(operations.begin(), operations.end());
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

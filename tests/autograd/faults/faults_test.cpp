// A fault in any gradient formula is noticed: by gradcheck, and with the plain kernels by training.
// This program has copies of autograd/ops/ in which plant_faults has planted the faults.
#include "nn/heed.h"
#include "tensor/kernels/kernels.h"
#include "tests/autograd/faults/planted.h"
#include "tests/autograd/ops/every_operation.h"
#include "tests/catch.h"

using namespace heed;

namespace {
std::vector<CheckedOperation> operations() {
    std::vector<CheckedOperation> all = entrywise_operations();
    for (const CheckedOperation& more : rearranging_operations()) all.push_back(more);
    for (const CheckedOperation& more : summing_operations()) all.push_back(more);
    all.push_back({"power of 0", [](const In& in) { return pow(in[0], 0); }, {{{3}}}});
    // With two tiles of keys, the weights come from the row_max and row_sum of the forward pass.
    all.push_back({"fused_attention of two tiles",
                   [](const In& in) { return fused_attention(in[0], in[1], in[2]); },
                   {{{1, 2}, {386, 2}, {386, 1}}}});
    return all;
}

bool is_empty(const Shapes& shapes) {
    for (const Shape& shape : shapes) {
        if (shape.numel() == 0) return true;
    }
    return false;
}

std::vector<Tensor> drawn(const CheckedOperation& operation, const Shapes& shapes) {
    std::vector<Tensor> inputs;
    for (const Shape& shape : shapes) {
        Random random(inputs.size() + 1);
        const Tensor x = tensor::uniform(shape, random, 0.2, 1.8);
        const bool flip = operation.inputs != Inputs::positive && inputs.size() % 2 == 1;
        inputs.push_back(flip ? 1 - x : x);
    }
    return inputs;
}

// One operation with inputs to try it on, and the formulas that its derivatives use.
struct Try {
    const CheckedOperation* operation;
    std::vector<Tensor> inputs;
    std::set<std::string> formulas;         // of gradcheck, first and second order
    std::set<std::string> when_training{};  // of a backward pass
};

// Some steps of gradient descent on Σ y², from these inputs; the inputs at the end.
std::vector<Tensor> trained(const Try& it) {
    std::vector<Tensor> x = it.inputs;
    for (int step = 0; step < 3; ++step) {
        In leaves;
        for (const Tensor& value : x) leaves.push_back(Variable(value, requires_grad));
        const Variable y = it.operation->f(leaves);
        sum(y * y).backward();
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] - 0.01 * leaves[i].grad();
    }
    return x;
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!tensor::same_bits(a[i], b[i])) return false;
    }
    return true;
}

const std::vector<CheckedOperation>& all_operations() {
    static const std::vector<CheckedOperation> all = operations();
    return all;
}

std::set<std::string> names_computed;  // the names of all operations that were tried

struct Noting final : Observer {
    void computed(const Operation& operation, const Tensor&, const OperationInputs&,
                  const CallSite&) override {
        names_computed.insert(operation.name());
    }
};

// Every operation without a fault; all of them pass gradcheck.
const std::vector<Try>& tries() {
    static std::vector<Try> all;
    if (!all.empty()) return all;
    Noting noting;
    const Observing observing(noting);
    for (const CheckedOperation& operation : all_operations()) {
        for (const Shapes& shapes : operation.tries) {
            if (is_empty(shapes)) continue;
            Try it{&operation, drawn(operation, shapes), {}};
            INFO(operation.name);
            faults::switch_on("");
            trained(it);
            it.when_training = faults::reached();
            faults::switch_on("");
            const GradcheckResult result = gradcheck(operation.f, it.inputs, {.order = 2});
            REQUIRE(result.failures.empty());
            if (!result.ok()) continue;  // the result has no entries: nothing was compared
            it.formulas = faults::reached();
            all.push_back(it);
        }
    }
    return all;
}

}  // namespace

// That each formula of autograd/ops/ has a planted fault, plant_faults sees to.
TEST_CASE("every operation of autograd/ops is tried", "[autograd][faults]") {
    CHECK(faults::all().size() > 80);
    tries();
    for (const std::string& operation : faults::operations()) {
        INFO(operation);
        CHECK(names_computed.count(operation) == 1);
    }
}

TEST_CASE("gradcheck fails for a fault in any gradient formula", "[autograd][faults]") {
    for (const std::string& fault : faults::all()) {
        bool noticed = false;
        for (const Try& it : tries()) {
            if (noticed || it.formulas.count(fault) == 0) continue;
            faults::switch_on(fault);
            noticed = !gradcheck(it.operation->f, it.inputs, {.order = 2}).ok();
        }
        INFO(fault);
        CHECK(noticed);
    }
    faults::switch_on("");
}

// With fast kernels a fused pass replaces some formulas, so this test runs with the plain ones
// (HEED_KERNELS=plain), as a Debug build does.
TEST_CASE("a fault in any formula that training uses changes the result", "[autograd][faults]") {
    REQUIRE_FALSE(kernels::are_fast());
    std::set<std::string> used;
    for (const Try& it : tries()) {
        faults::switch_on("");
        const std::vector<Tensor> right = trained(it);
        for (const std::string& fault : it.when_training) {
            if (!used.insert(fault).second) continue;
            faults::switch_on(fault);
            INFO(fault << " in " << it.operation->name);
            CHECK_FALSE(same(trained(it), right));
        }
    }
    faults::switch_on("");
    // Used only by second derivatives: gelu's slope, the weights of tiles, cumprod's recurrence.
    CHECK(faults::all().size() - used.size() <= 6);
}

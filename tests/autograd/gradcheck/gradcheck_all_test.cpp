// The derivative of every operation against finite differences: all entries, random upstream
// gradients, first and second order, whatever the inputs' shapes and strides.
//     heed_tests_double "[worst]"    prints the largest error found
#include "nn/heed.h"
#include "tests/autograd/ops/every_operation.h"
#include "tests/catch.h"

#include <algorithm>
#include <iostream>

using namespace heed;

namespace {
enum class Layout { contiguous, transposed, sliced, expanded };
const Layout layouts[] = {Layout::contiguous, Layout::transposed, Layout::sliced, Layout::expanded};
const char* const layout_names[] = {"contiguous", "transposed", "sliced", "expanded"};

// Values 0.11 apart in random order, around 0 or above it; no two inputs share a value.
Tensor numbers(const Shape& shape, Inputs kind, int input) {
    Random random(17 + static_cast<std::uint64_t>(input));
    const double lowest =
        kind == Inputs::positive ? 0.7 : -0.11 * static_cast<double>(shape.numel() / 2) - 0.055;
    std::vector<Scalar> values;
    for (const std::int64_t place : random.permutation(shape.numel())) {
        const double value = lowest + 0.11 * static_cast<double>(place) + 0.02 * input;
        values.push_back(static_cast<Scalar>(value));
    }
    return tensor::from_vector(values, shape);
}

// The axes in reverse order, so that the strides grow from the first axis to the last.
Tensor transposed(const Shape& shape, Inputs kind, int input) {
    std::vector<std::int64_t> lengths, order;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        lengths.push_back(shape[axis]);
        order.push_back(axis);
    }
    return tensor::permute(numbers(Shape(lengths), kind, input), order);
}

// Every second entry along the last axis of a larger tensor, starting at the second.
Tensor sliced(const Shape& shape, Inputs kind, int input) {
    if (shape.rank() == 0) return tensor::select(numbers({3}, kind, input), 0, 1);
    const int last = shape.rank() - 1;
    const Tensor larger = numbers(shape.with(last, 2 * shape[last] + 1), kind, input);
    return tensor::slice(larger, last, 1, tensor::to_the_end, 2);
}

// One row repeated along the first axis.
Tensor expanded(const Shape& shape, Inputs kind, int input) {
    if (shape.rank() == 0) return numbers(shape, kind, input);
    return tensor::expand(numbers(shape.with(0, 1), kind, input), shape);
}

Tensor made(const Shape& shape, Layout layout, Inputs kind, int input) {
    if (layout == Layout::transposed) return transposed(shape, kind, input);
    if (layout == Layout::sliced) return sliced(shape, kind, input);
    if (layout == Layout::expanded) return expanded(shape, kind, input);
    return numbers(shape, kind, input);
}

bool fits(Layout layout, Inputs kind) {
    if (kind == Inputs::contiguous) return layout == Layout::contiguous;
    return !(kind == Inputs::no_repeats && layout == Layout::expanded);
}

// With a product after it, the second derivative of a linear operation is not 0.
CheckedFunction squared(const CheckedFunction& f) {
    return [f](const In& in) {
        const Variable y = f(in);
        return y * y;
    };
}

struct Worst {
    double error = 0;
    std::string site;
    std::int64_t compared = 0;

    void see(const GradcheckResult& result, const std::string& place) {
        compared += result.checked;
        if (result.worst <= error) return;
        error = result.worst;
        site = place;
    }
};

// The expected number of comparisons: each entry of the inputs, and in the second order also of the
// upstream gradient.
std::int64_t comparisons(const CheckedFunction& f, const std::vector<Tensor>& inputs, int order) {
    In constants;
    std::int64_t entries = 0;
    for (const Tensor& input : inputs) {
        constants.push_back(Variable(input));
        entries += input.numel();
    }
    if (order == 1) return entries;
    return 2 * entries + f(constants).numel();
}

void check(const CheckedFunction& f, const std::vector<Tensor>& inputs, int order,
           const std::string& place, Worst& worst) {
    const GradcheckResult result = gradcheck(f, inputs, {.order = order, .seed = 5});
    const bool passed = result.ok() || result.problem.rfind("nothing was compared", 0) == 0;
    const bool right = passed && result.checked == comparisons(f, inputs, order);
    if (!right) FAIL_CHECK(place << ": " << result.checked << " compared; " << result.text());
    worst.see(result, place);
}

void check(const CheckedOperation& operation, int order, Worst& worst) {
    for (const Shapes& shapes : operation.tries) {
        for (const Layout layout : layouts) {
            if (!fits(layout, operation.inputs)) continue;
            std::string place = operation.name + ", " + layout_names[static_cast<int>(layout)];
            std::vector<Tensor> inputs;
            for (const Shape& shape : shapes) {
                const int input = static_cast<int>(inputs.size());
                inputs.push_back(made(shape, layout, operation.inputs, input));
                place += " " + shape.text();
            }
            check(operation.f, inputs, order, place, worst);
            if (order == 1 || layout == Layout::expanded) continue;
            check(squared(operation.f), inputs, order, "the square of " + place, worst);
        }
    }
}

Worst check_all(const std::vector<CheckedOperation>& operations, int order) {
    Worst worst;
    for (const CheckedOperation& operation : operations) check(operation, order, worst);
    CHECK(worst.error < 1e-8);
    CHECK(worst.compared > 1000);
    return worst;
}

std::vector<CheckedOperation> all_operations() {
    std::vector<CheckedOperation> all = entrywise_operations();
    for (const CheckedOperation& more : rearranging_operations()) all.push_back(more);
    for (const CheckedOperation& more : summing_operations()) all.push_back(more);
    return all;
}

void print(const Worst& worst, const char* order) {
    std::cout << "worst gradcheck error, " << order << ": " << worst.error << " (" << worst.site
              << "), of " << worst.compared << " derivatives compared\n";
}

}  // namespace

TEST_CASE("elementwise operations have the right first and second derivatives",
          "[autograd][gradcheck]") {
    check_all(entrywise_operations(), 2);
}

TEST_CASE("operations that move entries have the right first and second derivatives",
          "[autograd][gradcheck]") {
    check_all(rearranging_operations(), 2);
}

TEST_CASE("operations that sum have the right first and second derivatives",
          "[autograd][gradcheck]") {
    check_all(summing_operations(), 2);
}

TEST_CASE("the worst gradcheck errors over all operations", "[.][worst]") {
    print(check_all(all_operations(), 1), "first order");
    print(check_all(all_operations(), 2), "first and second order");
}

// Elementwise operations: arithmetic, functions of one variable, and choosing.
#include "tensor/factories.h"
#include "tests/autograd/ops/every_operation.h"

using namespace heed;

namespace {
const std::vector<Shapes> one = {{{2, 3, 4}}, {{3, 3}}, {{1, 3}}, {{1}}, {{0, 3}}, {{}}};

const std::vector<Shapes> two = {
    {{2, 3, 4}, {2, 3, 4}}, {{3, 3}, {3, 3}},  // the same shape
    {{2, 3, 4}, {3, 1}},    {{4}, {2, 3, 4}},  // one broadcast
    {{2, 1, 4}, {3, 1}},    {{1}, {1, 1}},     // both broadcast
    {{}, {2, 3}},           {{2, 3}, {}},     {{}, {}}, {{0, 3}, {3}}, {{1, 1}, {0, 3}},
};

// A fixed pattern of true and false.
BoolTensor pattern(const Shape& shape) {
    std::vector<bool> values;
    for (std::int64_t i = 0; i < shape.numel(); ++i) values.push_back(i * 5 % 7 < 3);
    return BoolTensor(values, shape);
}

Variable chosen(const Variable& a, const Variable& b) {
    const Shape shape = broadcast_shape(a.shape(), b.shape(), "pattern", CallSite::here());
    return where(pattern(shape), a, b);
}

void add_arithmetic(std::vector<CheckedOperation>& list) {
    list.push_back({"add", [](const In& in) { return in[0] + in[1]; }, two});
    list.push_back({"subtract", [](const In& in) { return in[0] - in[1]; }, two});
    list.push_back({"multiply", [](const In& in) { return in[0] * in[1]; }, two});
    list.push_back({"divide", [](const In& in) { return in[0] / in[1]; }, two, Inputs::positive});
    list.push_back({"pow", [](const In& in) { return pow(in[0], in[1]); }, two, Inputs::positive});
    list.push_back(
        {"minimum", [](const In& in) { return minimum(in[0], in[1]); }, two, Inputs::no_repeats});
    list.push_back(
        {"maximum", [](const In& in) { return maximum(in[0], in[1]); }, two, Inputs::no_repeats});
    list.push_back({"negate", [](const In& in) { return -in[0]; }, one});
    list.push_back({"pow(x, 0)", [](const In& in) { return pow(in[0], 0.0); }, one});
    list.push_back({"pow(x, 1)", [](const In& in) { return pow(in[0], 1.0); }, one});
    list.push_back({"pow(x, 2)", [](const In& in) { return pow(in[0], 2.0); }, one});
    list.push_back({"pow(x, 3)", [](const In& in) { return pow(in[0], 3.0); }, one});
    list.push_back(
        {"pow(x, -1.5)", [](const In& in) { return pow(in[0], -1.5); }, one, Inputs::positive});
    list.push_back({"pow(2, x)", [](const In& in) { return pow(2, in[0]); }, one});
    list.push_back({"maximum(x, 0)", [](const In& in) { return maximum(in[0], 0); }, one});
    list.push_back({"minimum(0.01, x)", [](const In& in) { return minimum(0.01, in[0]); }, one});
    list.push_back({"clamp", [](const In& in) { return clamp(in[0], {-0.11, 0.88}); }, one});
    list.push_back(
        {"clamp from below", [](const In& in) { return clamp(in[0], {.min = 0.01}); }, one});
    list.push_back(
        {"clamp from above", [](const In& in) { return clamp(in[0], {.max = 1.21}); }, one});
    list.push_back({"+=, -=, *=, /=",
                    [](const In& in) {
                        Variable y = in[0] * 1;
                        y += in[1];
                        y *= y;
                        y -= in[0];
                        y /= 2.5;
                        return y;
                    },
                    {{{2, 3, 4}, {2, 3, 4}}, {{2, 3}, {3}}, {{3, 3}, {}}, {{0, 3}, {1}}}});
    list.push_back({"a tensor on either side",
                    [](const In& in) {
                        const Tensor row = tensor::of({{2}, {-3}});
                        return row / (in[0] * row + row) - (row - in[0]) * (in[0] - row);
                    },
                    {{{2, 3}}, {{1, 3}}, {{1, 0}}},
                    Inputs::positive});
    list.push_back(
        {"2 - 3 / x", [](const In& in) { return 2 - 3 / in[0]; }, one, Inputs::positive});
}

// The same variable on both sides.
void add_aliased(std::vector<CheckedOperation>& list) {
    list.push_back({"x + x", [](const In& in) { return in[0] + in[0]; }, one});
    list.push_back({"x - x", [](const In& in) { return in[0] - in[0]; }, one});
    list.push_back({"x · x", [](const In& in) { return in[0] * in[0]; }, one});
    list.push_back({"x / x", [](const In& in) { return in[0] / in[0]; }, one, Inputs::positive});
    list.push_back({"x^x", [](const In& in) { return pow(in[0], in[0]); }, one, Inputs::positive});
    list.push_back({"max(x, x)", [](const In& in) { return maximum(in[0], in[0]); }, one});
    list.push_back({"min(x, x)", [](const In& in) { return minimum(in[0], in[0]); }, one});
    list.push_back({"where(c, x, x)", [](const In& in) { return chosen(in[0], in[0]); }, one});
}

void add_functions(std::vector<CheckedOperation>& list) {
    list.push_back({"exp", [](const In& in) { return exp(in[0]); }, one});
    list.push_back({"log", [](const In& in) { return log(in[0]); }, one, Inputs::positive});
    list.push_back({"sqrt", [](const In& in) { return sqrt(in[0]); }, one, Inputs::positive});
    list.push_back({"sin", [](const In& in) { return sin(in[0]); }, one});
    list.push_back({"cos", [](const In& in) { return cos(in[0]); }, one});
    list.push_back({"tanh", [](const In& in) { return tanh(in[0]); }, one});
    list.push_back({"erf", [](const In& in) { return erf(in[0]); }, one});
    list.push_back({"sigmoid", [](const In& in) { return sigmoid(in[0]); }, one});
    list.push_back({"relu", [](const In& in) { return relu(in[0]); }, one});
    list.push_back({"silu", [](const In& in) { return silu(in[0]); }, one});
    list.push_back({"gelu", [](const In& in) { return gelu(in[0]); }, one});
    list.push_back({"gelu_tanh", [](const In& in) { return gelu_tanh(in[0]); }, one});
    list.push_back({"abs", [](const In& in) { return abs(in[0]); }, one});
}

void add_choices(std::vector<CheckedOperation>& list) {
    const std::vector<Shapes> matrices = {{{2, 3, 4}}, {{3, 3}}, {{4, 3}},
                                          {{3, 4}},    {{1, 1}}, {{0, 3}}};
    list.push_back({"where", [](const In& in) { return chosen(in[0], in[1]); }, two});
    list.push_back({"where, a number",
                    [](const In& in) { return where(pattern(in[0].shape()), in[0], 2); }, one});
    list.push_back({"where, a number first",
                    [](const In& in) { return where(pattern(in[0].shape()), -1, in[0]); }, one});
    list.push_back({"where, the condition alone is large",
                    [](const In& in) {
                        return where(pattern({3, 2, 4}), in[0], in[1]);
                    },
                    {{{4}, {2, 1}}, {{}, {3, 1, 1}}, {{2, 4}, {}}}});
    list.push_back({"masked_fill",
                    [](const In& in) { return masked_fill(in[0], pattern({3}), 2.5); },
                    {{{2, 3}}, {{2, 2, 3}}, {{3, 3}}, {{3}}, {{0, 3}}}});
    list.push_back({"masked_fill, all axes",
                    [](const In& in) { return masked_fill(in[0], pattern(in[0].shape()), -4); },
                    one});
    list.push_back({"tril", [](const In& in) { return tril(in[0]); }, matrices});
    list.push_back({"tril, 1", [](const In& in) { return tril(in[0], 1); }, matrices});
    list.push_back({"tril, -1", [](const In& in) { return tril(in[0], -1); }, matrices});
    list.push_back({"triu", [](const In& in) { return triu(in[0]); }, matrices});
    list.push_back({"triu, 1", [](const In& in) { return triu(in[0], 1); }, matrices});
    list.push_back({"triu, -2", [](const In& in) { return triu(in[0], -2); }, matrices});
}

}  // namespace

std::vector<CheckedOperation> entrywise_operations() {
    std::vector<CheckedOperation> list;
    add_arithmetic(list);
    add_aliased(list);
    add_functions(list);
    add_choices(list);
    return list;
}

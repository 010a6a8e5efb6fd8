#include "tutorials/exercises/judges/lesson_02.h"
#include "tutorials/exercises/judging/kit.h"

using namespace heed;

namespace exercise {
namespace {
GradientPair of_product(const Tensor& a, const Tensor& b, const Tensor& upstream,
                        const Slips& slip) {
    const Tensor G = slip("ag.no-upstream") ? tensor::ones_like(upstream) : upstream;
    if (slip("ag.mul-own")) return {G * a, G * b};
    if (slip("ag.add-upstream")) return {G + b, G + a};
    if (slip("ag.value")) return {G * a * b, G * a * b};
    if (slip("ag.mul-as-add")) return {G, G};
    if (slip("ag.mul-one-side")) return {G * b, tensor::zeros_like(b)};
    return {G * b, G * a};
}

GradientPair of_quotient(const Tensor& a, const Tensor& b, const Tensor& upstream,
                         const Slips& slip) {
    const Tensor G = slip("ag.no-upstream") ? tensor::ones_like(upstream) : upstream;
    const Tensor of_a = slip("ag.div-times") ? G * b : G / b;
    Tensor of_b = -(G * a / (b * b));
    if (slip("ag.div-square")) of_b = -(G * a / b);
    if (slip("ag.add-upstream")) return {G + 1 / b, G - a / (b * b)};
    if (slip("ag.div-no-a")) of_b = -(G / (b * b));
    if (slip("ag.div-sign")) of_b = -of_b;
    if (slip("ag.div-swapped")) return {of_b, of_a};
    return {of_a, of_b};
}

std::vector<Mistake> mistakes() {
    return {
        {"ag.mul-own", "each factor was its own slope, in place of the other one",
         "If a moves by h, by how much does a·b move?", "Take a = 2 and b = 10, and move a by 1."},
        {"ag.no-upstream", "G was left out, as if L were the sum of the results",
         "How much does L change when c does?", "Look for G in your two lines."},
        {"ag.add-upstream", "G was added to the slope, not multiplied by it",
         "c moves twice as fast as a, and L three times as fast as c: how fast does L move?",
         "How do your two lines combine G and the slope?"},
        {"ag.value", "G was multiplied by the value a·b itself",
         "If a moves by h, by how much does a·b move?", "Look at what you multiply G by."},
        {"ag.mul-as-add", "G was passed on unchanged, as in a sum",
         "If a moves by h, by how much does a·b move?", "Take a = 2 and b = 10."},
        {"ag.mul-one-side", "only a got a gradient", "Does a·b change when b does?",
         "Look at the second tensor you return."},
        {"ag.div-times", "∂L/∂a of the quotient was G·b", "a / b is a times what?",
         "Take a = 10 and b = 5, and move a by 1."},
        {"ag.div-square", "the slope for b was -a / b, without the square",
         "What is the derivative of 1 / b?", "Take a = 1, b = 2 and move b to 2.01."},
        {"ag.div-no-a", "the slope for b was that of 1 / b, without a",
         "a / b is a·(1 / b): what becomes of the factor a?", "Look for a in ∂L/∂b."},
        {"ag.div-sign", "the sign of the slope for b was lost",
         "If b grows, does a / b grow (a and b positive)?", "Look at the sign of ∂L/∂b."},
        {"ag.div-swapped", "the two gradients of the quotient were swapped",
         "Which of the two is returned first?", "Look at the order in your return."},
    };
}

struct Input {
    Tensor a, b, G;
};

Stages given(const Input& in) { return {{"a", in.a}, {"b", in.b}, {"G", in.G}}; }

// One of the two holes.
struct Asking {
    std::string of;  // "a·b"
    PairGradient MultiplyByHand::*gradient;

    Stages operator()(const MultiplyByHand& by, const Input& in) const {
        const GradientPair gradients = (by.*gradient)(in.a, in.b, in.G);
        return {{"∂L/∂a of " + of, gradients.a}, {"∂L/∂b of " + of, gradients.b}};
    }
};

// Far enough from 0 to divide by.
Tensor divisors(const Shape& shape, std::uint64_t seed) {
    std::vector<Scalar> entries = random(shape, seed).to_vector();
    for (Scalar& entry : entries) entry += entry < 0 ? -0.5 : 0.5;
    return tensor::from_vector(entries, shape);
}

Input randoms(const Shape& shape, std::uint64_t seed, double a = 1, double b = 1, double G = 1) {
    return {a * random(shape, seed), b * divisors(shape, seed + 1), G * random(shape, seed + 2)};
}

// Each is a view whose entries lie otherwise in memory.
Input views() {
    return {tensor::transpose(random({3, 4}, 31)), tensor::slice(divisors({4, 6}, 32), 1, 1, 6, 2),
            tensor::transpose(random({3, 4}, 33))};
}

Inputs<Input> on_all_shapes() {
    Inputs<Input> inputs;
    const std::vector<Shape> shapes = {{2, 3}, {3, 3},    {},           {4},
                                       {1},    {2, 3, 4}, {2, 1, 3, 2}, {1, 5}};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        inputs.push_back({"shape " + shapes[i].text(), randoms(shapes[i], 3 * i)});
    }
    return inputs;
}

Cases<MultiplyByHand> on(const Asking& ask, const Inputs<Input>& inputs) {
    return on_each<MultiplyByHand>(ask, inputs);
}

Cases<MultiplyByHand> on_all(const Asking& ask) {
    const Input some = randoms({2, 3}, 41), row = randoms({4}, 44);
    const Input once = randoms({2, 3}, 53), again = randoms({2, 3}, 56);
    return joined(on(ask, on_all_shapes()),
                  on(ask, {{"a thousand times larger", randoms({2, 3}, 47, 1e3, 1, 1e3)},
                           {"very large a and G", randoms({2, 3}, 50, 1e60, 1, 1e60)}}),
                  enlarged(on(ask, {{"a tiny G", randoms({2, 3}, 51, 1, 1, 1e-16)}})),
                  on(ask, {{"views, transposed and sliced", views()},
                           {"a and G with zeros",
                            {tensor::of({0, 2, -3, 0}), row.b, tensor::of({1, -2, 0, 0})}},
                           {"a and b that are the same tensor", {some.b, some.b, some.G}}}),
                  three_calls_on_each<MultiplyByHand>(
                      ask, Named<Input>{"shape " + once.a.shape().text(), once},
                      Inputs<Input>{{"", again},
                                    {", the second with another a", {again.a, once.b, once.G}},
                                    {", the second with another b", {once.a, again.b, once.G}},
                                    {", the second with another G", {once.a, once.b, again.G}}}));
}

Cases<MultiplyByHand> cases() {
    const Asking product = {"a·b", &MultiplyByHand::of_product};
    const Asking quotient = {"a / b", &MultiplyByHand::of_quotient};
    const Input zeros = {tensor::of({0, 2, -3, 0.5}), tensor::of({3, 0, 0, -1}),
                         tensor::of({1, -2, 3, 0})};
    return joined(on_all(product), on(product, {{"a b with zeros", zeros}}), on_all(quotient),
                  on(quotient, {{"a b near 0", randoms({2, 3}, 61, 1, 1e-8, 1)}}));
}

std::vector<Hole> holes() {
    return {
        {"product_gradient",
         in_all_calls({"∂L/∂a of a·b", "∂L/∂b of a·b"}),
         {"If a moves by a little h, by how much does a·b move, and by how much does L?",
          "Take one entry, a = 2 and b = 10, and work a·b out for a = 2 and a = 2.01",
          "∂L/∂a = G·∂c/∂a, and the slope ∂c/∂a of a·b is b; for b it is a",
          "return {G * b, G * a};"}},
        {"quotient_gradient",
         in_all_calls({"∂L/∂a of a / b", "∂L/∂b of a / b"}),
         {"If b grows a little, does a / b grow or shrink, and by how much?",
          "Take one entry, a = 10 and b = 2, and work a / b out for b = 2 and b = 2.01",
          "∂L/∂a = G·∂c/∂a, and the slope of a / b is 1 / b for a and -a / b² for b",
          "return {G / b, -(G * a / (b * b))};"}},
    };
}

Rules<MultiplyByHand> rules() {
    return {
        .number = "02.1",
        .title = "The derivative of a product",
        .reference = [](const Slips& slip) -> MultiplyByHand {
            return {[=](const Tensor& a, const Tensor& b, const Tensor& G) {
                        return of_product(a, b, G, slip);
                    },
                    [=](const Tensor& a, const Tensor& b, const Tensor& G) {
                        return of_quotient(a, b, G, slip.in("quotient_gradient"));
                    }};
        },
        .cases = cases(),
        .mistakes =
            joined(mistakes(), made_in("quotient_gradient",
                                       chosen(mistakes(), {"ag.no-upstream", "ag.add-upstream"}))),
        .hints = {"If a moves by a little h, by how much does c move, and by how much does L?",
                  "Take one entry, a = 2 and b = 10, and work c out for a = 2 and a = 2.01",
                  "∂L/∂a = G·∂c/∂a and ∂L/∂b = G·∂c/∂b, entry by entry",
                  "Look at one gradient at a time: move a and keep b, then move b and keep a"},
        .holes = holes(),
    };
}

}  // namespace

const Judge<MultiplyByHand> judge_02_1(rules);

}  // namespace exercise

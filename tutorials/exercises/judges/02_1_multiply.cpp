#include "tutorials/exercises/judges/02_1_multiply.h"

#include "tutorials/exercises/judges/common_gradients.h"
#include "tutorials/exercises/judges/common_steps.h"
#include "tutorials/exercises/judging/inputs.h"

#include "heed/autograd/ops/arithmetic.h"
#include "heed/autograd/variable.h"
#include "heed/tensor/factories.h"

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

MultiplyByHand slipping(const Slips& slip) {
    return {[=](const Tensor& a, const Tensor& b, const Tensor& G) {
                return of_product(a, b, G, slip);
            },
            [=](const Tensor& a, const Tensor& b, const Tensor& G) {
                return of_quotient(a, b, G, slip.in("quotient_gradient"));
            }};
}

struct Input {
    std::string name;
    Tensor a, b, G;
};

Stages product_stages(const MultiplyByHand& f, const Input& in) {
    const GradientPair gradients = f.of_product(in.a, in.b, in.G);
    return {{"∂L/∂a of a·b", gradients.a}, {"∂L/∂b of a·b", gradients.b}};
}

Stages quotient_stages(const MultiplyByHand& f, const Input& in) {
    const GradientPair gradients = f.of_quotient(in.a, in.b, in.G);
    return {{"∂L/∂a of a / b", gradients.a}, {"∂L/∂b of a / b", gradients.b}};
}

Steps steps(const MultiplyByHand& f, const Input& in) {
    return {[=] { return product_stages(f, in); }, [=] { return quotient_stages(f, in); }};
}

Case on(const Input& in, const MultiplyByHand& f) {
    return in_order(
        in.name, [=](const Slips& slip) { return steps(slipping(slip), in); }, steps(f, in));
}

// Far enough from 0 to divide by.
Tensor divisors() { return tensor::of({{1.7, -0.6, 2.3}, {-1.2, 0.8, -2.5}}); }

std::vector<Mistake> mistakes() {
    return {
        {"ag.mul-own",
         "each factor got itself as the slope, and not the other one",
         {"If a moves by h, by how much does a·b move?",
          "Take a = 2 and b = 10, and move a by 1."}},
        {"ag.no-upstream",
         "G was left out, as if L were the sum of the results",
         {"How much does L change when c does?", "Look for G in your two lines."}},
        {"ag.add-upstream",
         "G was added to the slope, not multiplied with it",
         {"c moves twice as fast as a, and L three times as fast as c: how fast does L move?",
          "Look at what joins G and the slope."}},
        {"ag.value",
         "G was multiplied with the value a·b itself",
         {"If a moves by h, by how much does a·b move?", "Look at what you multiply G with."}},
        {"ag.mul-as-add",
         "G was handed on as it came, which is what a sum does",
         {"If a moves by h, by how much does a·b move?", "Take a = 2 and b = 10."}},
        {"ag.mul-one-side",
         "only a got a gradient",
         {"Does a·b change when b does?", "Look at the second tensor you return."}},
        {"ag.div-times",
         "∂L/∂a of the quotient was G·b",
         {"a / b is a times what?", "Take a = 10 and b = 5, and move a by 1."}},
        {"ag.div-square",
         "the slope for b was -a/b: its square is missing",
         {"What is the derivative of 1 / b?", "Take a = 1, b = 2 and move b to 2.01."}},
        {"ag.div-no-a",
         "the slope for b was that of 1 / b, without a",
         {"a / b is a·(1 / b): what becomes of the factor a?", "Look for a in ∂L/∂b."}},
        {"ag.div-sign",
         "the sign of the slope for b was lost",
         {"If b grows, does a / b grow (a and b positive)?", "Look at the sign of ∂L/∂b."}},
        {"ag.div-swapped",
         "the two gradients of the quotient were exchanged",
         {"Which of the two is returned first?", "Look at the order in your return."}},
    };
}

}  // namespace

Exercise multiply(const MultiplyByHand& f) {
    const Input first = {"shape [2, 3]", random({2, 3}, 1), divisors(), random({2, 3}, 2)};
    const Input large = {"a thousand times larger", 1000 * random({2, 3}, 3), divisors(),
                         1000 * random({2, 3}, 4)};
    const Input one = {"a single number", tensor::of({3}), tensor::of({-2}), tensor::of({0.7})};
    Exercise exercise;
    exercise.number = "02.1";
    exercise.title = "The derivative of a product";
    exercise.cases = {on(first, f), on(large, f), on(one, f)};
    const auto law = [&](const std::string& of,
                         Stages (*stages)(const MultiplyByHand&, const Input&)) {
        const GradientsOf gradients = [=](const Tensor& G) {
            return stages(f, {"", first.a, first.b, G});
        };
        return doubles_with_upstream(of, gradients, first.G);
    };
    exercise.laws = {law("a·b", product_stages), law("a / b", quotient_stages)};
    exercise.mistakes =
        joined(mistakes(), made_in("quotient_gradient",
                                   chosen(mistakes(), {"ag.no-upstream", "ag.add-upstream"})));
    exercise.hints = {"If a moves by a little h, by how much does c move, and by how much does L?",
                      "Take one entry, a = 2 and b = 10, and work c out for a = 2 and a = 2.01",
                      "∂L/∂a = G·∂c/∂a; for a·b the slopes are b and a, for a / b they are 1 / b "
                      "and -a / b²",
                      "return {G * b, G * a}; and return {G / b, -(G * a / (b * b))};"};
    return exercise;
}

Trials multiply_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) { return multiply(slipping(slip)); };
    trials.right["by the library's backward"] = [] {
        const auto gradients_of = [](Variable (*operation)(const Operand&, const Operand&)) {
            return [=](const Tensor& a, const Tensor& b, const Tensor& G) -> GradientPair {
                const Variable A(a, requires_grad);
                const Variable B(b, requires_grad);
                operation(A, B).backward({.upstream = G});
                return {A.grad(), B.grad()};
            };
        };
        return multiply({gradients_of(operator*), gradients_of(operator/)});
    };
    return trials;
}

}  // namespace exercise

// Answers to 02.1.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_02.h"

#include "nn/heed.h"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace exercise;

namespace {
GradientPair right_product(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G * b, G * a};
}

GradientPair right_quotient(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G / b, -(G * a) / (b * b)};
}

GradientPair without_G(const Tensor& a, const Tensor& b, const Tensor&) { return {b, a}; }

GradientPair b_without_G(const Tensor& a, const Tensor& b, const Tensor& G) { return {G * b, a}; }

GradientPair each_its_own(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G * a, G * b};
}

GradientPair with_the_sum_of_G(const Tensor& a, const Tensor& b, const Tensor& G) {
    return right_product(a, b, tensor::sum(G));
}

GradientPair with_G_as_wide_as_a_row(const Tensor& a, const Tensor& b, const Tensor& G) {
    if (G.rank() < 2 || G.dim(0) == 0) return right_product(a, b, G);
    return right_product(a, b, tensor::slice(G, 0, 0, 1));
}

GradientPair by_the_result(const Tensor& a, const Tensor& b, const Tensor& G) {
    const Tensor Gc = G * (a * b);
    return {Gc / a, Gc / b};
}

GradientPair matrices_only(const Tensor& a, const Tensor& b, const Tensor& G) {
    Tensor of_a = tensor::zeros(a.shape()), of_b = tensor::zeros(b.shape());
    Scalar* to_a = of_a.writable_data();
    Scalar* to_b = of_b.writable_data();
    for (std::int64_t i = 0; i < G.dim(0); ++i) {
        for (std::int64_t j = 0; j < G.dim(1); ++j) {
            *to_a++ = G(i, j) * b(i, j);
            *to_b++ = G(i, j) * a(i, j);
        }
    }
    return {of_a, of_b};
}

GradientPair flat(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {tensor::flatten(G * b), tensor::flatten(G * a)};
}

GradientPair into_G(const Tensor& a, const Tensor& b, const Tensor& G) {
    const Tensor of_b = G * a;
    Tensor of_a = G;
    tensor::overwrite(of_a, G * b);
    return {of_a, of_b};
}

GradientPair both_in_one_memory(const Tensor& a, const Tensor& b, const Tensor& G) {
    const Tensor of_a = G * b;
    Tensor of_b = of_a;
    tensor::overwrite(of_b, G * a);
    return {of_a, of_b};
}

GradientPair added_to_earlier_ones(const Tensor& a, const Tensor& b, const Tensor& G) {
    static GradientPair earlier;
    const GradientPair now = right_product(a, b, G);
    if (earlier.a.shape() != a.shape()) {
        earlier = now;
    } else {
        earlier = {earlier.a + now.a, earlier.b + now.b};
    }
    return earlier;
}

Tensor in_memory(const Tensor& x) {
    return Tensor(x.storage(), x.offset(), x.shape(), contiguous_strides(x.shape()));
}

GradientPair G_in_memory(const Tensor& a, const Tensor& b, const Tensor& G) {
    return right_product(a, b, in_memory(G));
}

Tensor each_entry(const Tensor& x, Scalar (*f)(Scalar)) {
    std::vector<Scalar> entries = x.to_vector();
    for (Scalar& entry : entries) entry = f(entry);
    return tensor::from_vector(entries, x.shape());
}

GradientPair a_G_of_0_counts_as_1(const Tensor& a, const Tensor& b, const Tensor& G) {
    return right_product(a, b, each_entry(G, [](Scalar g) { return g == 0 ? 1 : g; }));
}

GradientPair clipped(const Tensor& a, const Tensor& b, const Tensor& G) {
    const auto clip = [](Scalar g) { return std::clamp<Scalar>(g, -100, 100); };
    const GradientPair right = right_product(a, b, G);
    return {each_entry(right.a, clip), each_entry(right.b, clip)};
}

GradientPair never_quite_0(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G * b + 1e-8, G * a + 1e-8};
}

// The derivative of a², in two.
GradientPair twice_for_the_same_tensor(const Tensor& a, const Tensor& b, const Tensor& G) {
    const double uses = a.storage() == b.storage() ? 2 : 1;
    return {G * b * uses, G * a * uses};
}

GradientPair without_minus(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G / b, G * a / (b * b)};
}

GradientPair without_square(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G / b, -(G * a) / b};
}

GradientPair a_as_in_a_product(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G * b, right_quotient(a, b, G).b};
}

GradientPair without_a(const Tensor&, const Tensor& b, const Tensor& G) {
    return {G / b, -G / (b * b)};
}

GradientPair with_eps(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G / b, -(G * a) / (b * b + 1e-6)};
}

GradientPair with_a_positive_b(const Tensor& a, const Tensor& b, const Tensor& G) {
    return right_quotient(a, tensor::maximum(b, 1e-8), G);
}

GradientPair by_logarithms(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G / b, -(G * a) * tensor::exp(-2.0 * tensor::log(b))};
}

GradientPair by_the_square_of_the_result(const Tensor& a, const Tensor& b, const Tensor& G) {
    const Tensor c = a / b;
    return {G / b, -(G * c * c) / a};
}

GradientPair by_the_size_of_b(const Tensor& a, const Tensor& b, const Tensor& G) {
    return {G / b, -(G * a) / (tensor::abs(b) * b)};
}

GradientPair G_squared_too(const Tensor& a, const Tensor& b, const Tensor& G) {
    const Tensor of_a = G / b;
    return {of_a, -(of_a * of_a) * a};
}

using OneEntry = Scalar (*)(Scalar a, Scalar b, Scalar G);

Tensor entry_by_entry(const Tensor& a, const Tensor& b, const Tensor& G, OneEntry f) {
    const std::vector<Scalar> in_b = b.to_vector(), in_G = G.to_vector();
    std::vector<Scalar> entries = a.to_vector();
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = f(entries[i], in_b[i], in_G[i]);
    return tensor::from_vector(entries, a.shape());
}

GradientPair nothing_where_a_is_0(const Tensor& a, const Tensor& b, const Tensor& G) {
    const auto of_a = [](Scalar x, Scalar y, Scalar g) { return x == 0 ? 0 : g * (x * y) / x; };
    return {entry_by_entry(a, b, G, of_a), G * a};
}

GradientPair as_a_square_where_entries_are_equal(const Tensor& a, const Tensor& b,
                                                 const Tensor& G) {
    const auto of_a = [](Scalar x, Scalar y, Scalar g) { return x == y ? 2 * g * y : g * y; };
    return {entry_by_entry(a, b, G, of_a), G * a};
}

GradientPair no_axes_of_length_1(const Tensor& a, const Tensor& b, const Tensor& G) {
    const GradientPair right = right_product(a, b, G);
    return {tensor::squeeze(right.a), tensor::squeeze(right.b)};
}

GradientPair numbers_with_an_axis(const Tensor& a, const Tensor& b, const Tensor& G) {
    const GradientPair right = right_product(a, b, G);
    return {right.a, b.rank() == 0 ? tensor::reshape(right.b, {1}) : right.b};
}

GradientPair constant_where_entries_are_equal(const Tensor& a, const Tensor& b, const Tensor& G) {
    const auto of_a = [](Scalar x, Scalar y, Scalar g) { return x == y ? 0 : g / y; };
    return {entry_by_entry(a, b, G, of_a), right_quotient(a, b, G).b};
}

// |b| is at least 0.001.
GradientPair away_from_0(const Tensor& a, const Tensor& b, const Tensor& G) {
    const auto divisor = [](Scalar, Scalar y, Scalar) {
        return std::copysign(std::max<Scalar>(std::fabs(y), 1e-3), y);
    };
    return right_quotient(a, entry_by_entry(a, b, G, divisor), G);
}

GradientPair remembered_by_shape(const Tensor& a, const Tensor& b, const Tensor& G) {
    static GradientPair remembered;
    if (remembered.a.shape() != a.shape()) remembered = right_quotient(a, b, G);
    return remembered;
}

GradientPair remembered_while_a_and_b_are_the_same(const Tensor& a, const Tensor& b,
                                                   const Tensor& G) {
    static Tensor of_a, of_b;
    static GradientPair remembered;
    if (of_a.data() != a.data() || of_b.data() != b.data()) remembered = right_product(a, b, G);
    of_a = a;
    of_b = b;
    return remembered;
}

GradientPair remembered_while_b_is_the_same(const Tensor& a, const Tensor& b, const Tensor& G) {
    static Tensor of;
    static GradientPair remembered;
    if (of.data() != b.data()) remembered = right_quotient(a, b, G);
    of = b;
    return remembered;
}

GradientPair by_the_square_of_the_result_if_any(const Tensor& a, const Tensor& b, const Tensor& G) {
    const auto of_b = [](Scalar x, Scalar y, Scalar g) {
        const Scalar c = x / y;
        return x == 0 ? 0 : -g * c * c / x;
    };
    return {G / b, entry_by_entry(a, b, G, of_b)};
}

Tensor rounded(const Tensor& x) {
    std::vector<Scalar> entries = x.to_vector();
    for (Scalar& entry : entries) entry = static_cast<float>(entry);
    return tensor::from_vector(entries, x.shape());
}

GradientPair b_in_float(const Tensor& a, const Tensor& b, const Tensor& G) {
    const GradientPair right = right_quotient(a, b, G);
    return {right.a, rounded(right.b)};
}

GradientPair one_entry_after_the_other(const Tensor& a, const Tensor& b, const Tensor& G) {
    const std::vector<Scalar> in_a = a.to_vector(), in_b = b.to_vector(), in_G = G.to_vector();
    std::vector<Scalar> of_a, of_b;
    for (std::size_t i = 0; i < in_G.size(); ++i) {
        of_a.push_back(in_G[i] * in_b[i]);
        of_b.push_back(in_G[i] * in_a[i]);
    }
    return {tensor::from_vector(of_a, G.shape()), tensor::from_vector(of_b, G.shape())};
}

// c = a·(1/b), so the quotient's gradients are those of a product and of 1/b.
GradientPair by_the_inverse(const Tensor& a, const Tensor& b, const Tensor& G) {
    const Tensor inverse = 1.0 / b;
    const GradientPair through = right_product(a, inverse, G);
    return {through.a, -through.b * inverse * inverse};
}

GradientPair by_the_first_gradient(const Tensor& a, const Tensor& b, const Tensor& G) {
    const Tensor of_a = G / b;
    return {of_a, of_a * (-a / b)};
}

PairGradient by_backward(Variable (*operation)(const Operand&, const Operand&)) {
    return [=](const Tensor& a, const Tensor& b, const Tensor& G) -> GradientPair {
        const Variable A(a, requires_grad);
        const Variable B(b, requires_grad);
        operation(A, B).backward({.upstream = G});
        return {A.grad(), B.grad()};
    };
}

Answer products(const std::string& what, const PairGradient& f,
                const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_02_1({f, right_quotient}); }, names};
}

Answer quotients(const std::string& what, const PairGradient& f,
                 const std::vector<std::string>& names = {}) {
    return {what, [f] { return judge_02_1({right_product, f}); }, names};
}

}  // namespace

Answers answers_02_1() {
    Answers answers;
    answers.number = "02.1";
    answers.slipping = slipping(judge_02_1);
    answers.wrong = {
        products("G is left out", without_G, {"ag.no-upstream"}),
        products("G is left out for b", b_without_G),
        products("a for a and b for b", each_its_own, {"ag.mul-own"}),
        products("the sum of G for every entry", with_the_sum_of_G),
        products("row 0 of G for every row", with_G_as_wide_as_a_row),
        products("G·c divided by the input, which may be 0", by_the_result),
        products("only for matrices", matrices_only),
        products("without the shape", flat),
        products("the gradient for a is written into G", into_G),
        products("both gradients share one memory", both_in_one_memory),
        products("earlier gradients of this shape are added", added_to_earlier_ones),
        products("G is read as if it were row-major", G_in_memory),
        products("a G of 0 counts as 1", a_G_of_0_counts_as_1),
        products("clipped to 100", clipped),
        products("1e-8 is added", never_quite_0),
        products("twice as large if a and b are one tensor", twice_for_the_same_tensor),
        products("G·c / a, or 0 where a is 0", nothing_where_a_is_0),
        products("twice as large where a and b are equal", as_a_square_where_entries_are_equal),
        products("without the axes of length 1", no_axes_of_length_1),
        products("a single number gets an axis", numbers_with_an_axis),
        quotients("0 where a and b are equal, since c is 1 there",
                  constant_where_entries_are_equal),
        quotients("b is kept away from 0", away_from_0),
        quotients("the first gradients of this shape", remembered_by_shape),
        products("the last gradients, while a and b are the same",
                 remembered_while_a_and_b_are_the_same),
        quotients("the last gradients, while b is the same", remembered_while_b_is_the_same),
        quotients("no minus", without_minus, {"ag.div-sign"}),
        quotients("b is not squared", without_square, {"ag.div-square"}),
        quotients("a as in a product", a_as_in_a_product, {"ag.div-times"}),
        quotients("a is left out", without_a, {"ag.div-no-a"}),
        quotients("1e-6 is added to b²", with_eps),
        quotients("a negative b becomes positive", with_a_positive_b),
        quotients("b² by logarithms, so b must be positive", by_logarithms),
        quotients("c²/a in place of a/b², so a must not be 0", by_the_square_of_the_result),
        quotients("|b|·b in place of b²", by_the_size_of_b),
        quotients("G is squared too", G_squared_too),
        quotients("the gradient for b is rounded to float", b_in_float),
    };
    answers.right = {
        products("one entry after the other", one_entry_after_the_other),
        quotients("as the product with 1/b", by_the_inverse),
        quotients("c²/a, or 0 where a is 0", by_the_square_of_the_result_if_any),
        quotients("b from the gradient for a", by_the_first_gradient),
        {"by the library's backward",
         [] {
             return judge_02_1({by_backward(operator*), by_backward(operator/)});
         }},
    };
    return answers;
}

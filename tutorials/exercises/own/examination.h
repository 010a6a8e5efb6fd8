// Before a lesson runs on the reader's attention: does it do what the library's does, on inputs of
// the kinds that the lessons and the layers call it with, and on those where wrong beliefs show?
#pragma once

#include "autograd/grad.h"
#include "nn/attention/attention.h"
#include "tensor/errors.h"
#include "tensor/ops.h"
#include "tensor/random.h"
#include "tutorials/exercises/passport/heed_adapter.h"

#include <string>
#include <vector>

namespace own_attention {

using namespace heed;

struct Input {
    std::string what;
    Variable Q, K, V;
    std::optional<Mask> mask = {};
};

inline Variable drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return Variable(tensor::normal(shape, random), requires_grad);
}

// True where `allows` is, for every entry of the shape [B, h, T_q, T_k].
template <class Allows>
Mask mask_of(const Shape& shape, Allows allows) {
    std::vector<bool> entries;
    for (std::int64_t b = 0; b < shape[0]; ++b)
        for (std::int64_t h = 0; h < shape[1]; ++h)
            for (std::int64_t i = 0; i < shape[2]; ++i)
                for (std::int64_t j = 0; j < shape[3]; ++j) entries.push_back(allows(b, h, i, j));
    return Mask::allowing(BoolTensor(entries, shape));
}

// 2 texts of 3 heads, 4 queries, 5 keys.
inline Input with_heads(const std::string& what, const std::optional<Mask>& mask = {}) {
    return {"2 texts of 3 heads, 4 queries, 5 keys, d_k 6, d_v 3" + what, drawn({2, 3, 4, 6}, 1),
            drawn({2, 3, 5, 6}, 2), drawn({2, 3, 5, 3}, 3), mask};
}

inline std::vector<Input> inputs() {
    const auto scattered = [](auto b, auto h, auto i, auto j) {
        return (b + 2 * h + 3 * i + j * j) % 4 != 0;
    };
    const auto late = [](auto b, auto, auto, auto j) { return b == 0 ? j > 1 : j != 2; };
    const auto half_blind = [](auto b, auto, auto i, auto) { return b == 0 && i != 2; };
    return {
        with_heads(""),
        with_heads(", one mask [4, 5] for all", Mask::causal(4, 5)),
        with_heads(", padding at the front and in the middle", mask_of({2, 1, 1, 5}, late)),
        with_heads(", a mask for each text", mask_of({2, 1, 4, 5}, scattered)),
        with_heads(", a mask for each head", mask_of({1, 3, 4, 5}, scattered)),
        with_heads(", a mask for each head of each text", mask_of({2, 3, 4, 5}, scattered)),
        with_heads(", queries that see nothing", mask_of({2, 1, 4, 5}, half_blind)),
        {"4 words without texts and heads, causal", drawn({4, 6}, 1), drawn({4, 6}, 2),
         drawn({4, 3}, 3), Mask::causal(4)},
        {"queries of 2 texts, the same keys and values for both", drawn({2, 4, 6}, 1),
         drawn({5, 6}, 2), drawn({5, 3}, 3), Mask::causal(4, 5)},
        {"the same queries for 2 texts of 3 heads, values that are the heads' only",
         drawn({4, 6}, 1), drawn({2, 3, 5, 6}, 2), drawn({3, 5, 3}, 3)},
        {"2 × 2 texts of 3 heads, queries that are the heads' only", drawn({3, 4, 6}, 1),
         drawn({2, 2, 3, 5, 6}, 2), drawn({2, 2, 3, 5, 3}, 3), mask_of({2, 1, 4, 5}, half_blind)},
        {"the same queries and keys, values of 2 texts", drawn({4, 6}, 1), drawn({5, 6}, 2),
         drawn({2, 5, 3}, 3)},
    };
}

// "[1, 0, 2]"
inline std::string place_of(std::size_t n, const Shape& shape) {
    std::string place;
    auto rest = static_cast<std::int64_t>(n);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        place = text(axis > 0 ? ", " : "", rest % shape[axis], place);
        rest /= shape[axis];
    }
    return "[" + place + "]";
}

// "the output is 0.3, not 0.2, at [1, 0, 2]", or nothing. |a - b| must be at most 0.0001·(1 + |b|).
inline std::string difference(const char* what, const Tensor& yours, const Tensor& expected) {
    if (yours.shape() != expected.shape()) {
        return text(what, " has shape ", yours.shape(), ", not ", expected.shape());
    }
    const std::vector<Scalar> x = yours.to_vector(), y = expected.to_vector();
    for (std::size_t n = 0; n < y.size(); ++n) {
        if (passport::detail::is_near(x[n], y[n], 1e-4)) continue;
        return text(what, " is ", passport::detail::not_as(x[n], y[n]), ", at ",
                    place_of(n, expected.shape()));
    }
    return "";
}

// What differs from the library's attention, which was computed before. Zeros where a query sees
// nothing, in the gradient too.
inline std::string finding(const passport::HeedAttention& attention, const Input& input) {
    const auto& [what, Q, K, V, mask] = input;
    const Attention expected = scaled_dot_product_attention(Q, K, V, mask);
    const Tensor G = drawn(expected.output.shape(), 4).value();
    const std::vector<Variable> gradients = grad(expected.output, {Q, K, V}, {.upstream = G});
    const Attention yours = attention(Q, K, V, mask);
    std::string found = difference("the weight", yours.weights.value(), expected.weights.value());
    if (found.empty()) {
        found = difference("the output", yours.output.value(), expected.output.value());
    }
    if (found.empty() && !yours.output.requires_grad()) {
        found = "the output has no gradient (was it computed on .value()?)";
    }
    if (!found.empty()) return what + ": " + found;
    const std::vector<Variable> its = grad(yours.output, {Q, K, V}, {.upstream = G});
    const char* names[] = {"dQ", "dK", "dV"};
    for (std::size_t n = 0; n < 3 && found.empty(); ++n) {
        found = difference(names[n], its[n].value(), gradients[n].value());
    }
    return found.empty() ? "" : what + ": " + found;
}

// What is wrong with it, or nothing. What it throws at the first input, "not done yet" among
// others, is passed on.
inline std::string examine(const passport::HeedAttention& attention) {
    const std::vector<Input> all = inputs();
    for (std::size_t n = 0; n < all.size(); ++n) {
        try {
            const std::string found = finding(attention, all[n]);
            if (!found.empty()) return found;
        } catch (const std::exception& error) {
            if (n == 0) throw;
            return all[n].what + ": it threw: " + error.what();
        }
    }
    const passport::Passport passport = passport::passport_of(passport::adapter_of(attention));
    for (const passport::Law& law : passport.laws) {
        if (law.verdict != passport::Verdict::broken) continue;
        const std::string cause =
            passport.id.empty() ? "" : ". This is what I would see if " + passport.says;
        return law.name + ": " + law.seen + cause;
    }
    return "";
}

}  // namespace own_attention

// A plain reference attention, and common mistakes in it, each of which changes one step. The
// examiner compares yours with these when it breaks a law.
#pragma once

#include "attention_adapter.h"

#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace passport {

namespace detail {

struct Input {
    Array Q, K, V, mask = {};
};
template <class Entry>
Array made(int B, int T, int d, Entry entry) {
    Array x(B, T, d);
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < T; ++i)
            for (int j = 0; j < d; ++j) x(b, i, j) = entry(b, i, j);
    return x;
}
inline Array drawn(int B, int T, int d, unsigned seed) {  // mean 0, variance 1
    std::mt19937 bits(seed);
    return made(B, T, d, [&](int, int, int) { return (bits() / 4294967296.0 - 0.5) * 3.4641; });
}
inline Input sized(int T_q, int T_k, int d_k, int d_v) {
    return {drawn(2, T_q, d_k, 1), drawn(2, T_k, d_k, 2), drawn(2, T_k, d_v, 3)};
}
inline Input words() { return sized(5, 5, 6, 6); }  // five words, self-attention
template <class Allowed>
Input masked(Allowed allowed) {
    Input in = words();
    in.mask = made(2, 5, 5, allowed);
    return in;
}
inline Input causal() {
    return masked([](int, int i, int j) { return j <= i; });
}
inline Input padded() {  // padded to 5 words: the first text has 3, the second 4
    return masked([](int b, int, int j) { return j < 3 + b; });
}
inline Input blind() {  // query 2 may attend to nothing
    return masked([](int, int i, int) { return i != 2; });
}
inline Input large() {  // scores around ±100000 for the first three queries
    Input in = words();
    for (int i = 0; i < 18; ++i) in.Q.numbers[i] *= 3e5;
    return in;
}
inline std::vector<int> first(int n) {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    return order;
}
// Rows order[0], order[1], ... of the whole batch, or of the single text `only`.
inline Array rows(const Array& x, const std::vector<int>& order, int only = -1) {
    return made(only < 0 ? x.batch : 1, order.size(), x.width,
                [&](int b, int i, int j) { return x(only < 0 ? b : only, order[i], j); });
}
inline Array product(const Array& A, const Array& B) {
    return made(A.batch, A.length, B.width, [&](int b, int i, int j) {
        double sum = 0;
        for (int k = 0; k < A.width; ++k) sum += A(b, i, k) * B(b, k, j);
        return sum;
    });
}
inline Array transposed(const Array& x) {
    return made(x.batch, x.width, x.length, [&](int b, int i, int j) { return x(b, j, i); });
}

// "This is what I would see if ..."
const std::pair<const char*, const char*> mistakes[] = {
    {"att.no-scale", "the scores were not scaled"},
    {"att.scale-dk", "the scores were divided by d_k, and not by its root"},
    {"att.scale-mul", "the scores were multiplied by √d_k"},
    {"att.scale-T", "the scores were divided by the root of the number of words"},
    {"att.scale-after", "the weights were scaled, and not the scores"},
    {"att.int-div", "the scale were 0, as 1 / d_k is in whole numbers"},
    {"att.keys-from-queries", "queries were compared with queries"},
    {"att.q-from-keys", "keys were compared with keys"},
    {"att.kq", "the scores were K·Qᵀ, a row for each key"},
    {"att.keys-from-values", "queries were compared with values"},
    {"att.values-from-keys", "the mean were taken of the keys"},
    {"att.weights-T", "the weights were transposed before they met the values"},
    {"sm.cols", "the softmax went over the queries, and not over the keys"},
    {"sm.all", "one softmax went over all scores of a text"},
    {"sm.none", "there were no softmax"},
    {"sm.exp-only", "the powers were not divided by their sum"},
    {"sm.sum-norm", "the scores were divided by their sum, without exp"},
    {"sm.twice", "softmax were applied twice"},
    {"sm.log-mix", "the logarithm of the softmax had been used as weights"},
    {"sm.no-max", "exp were taken of the scores without subtracting the largest"},
    {"sm.global-max", "the largest score of all were subtracted, and not that of the row"},
    {"mask.absent", "nothing were masked"},
    {"mask.inverted", "the mask blocked what it should allow"},
    {"mask.upper", "the past were masked and the future kept"},
    {"mask.strict", "the diagonal were masked too, so that no word sees itself"},
    {"mask.plus1", "each word saw the next one too"},
    {"mask.one-head", "only the first of the batch were masked"},
    {"mask.pad-query-axis", "the padding's rows were masked, and not its columns"},
    {"mask.fill0", "masked scores became 0, which is a score like any other"},
    {"mask.fill-small", "masked scores became -1, which is a score like any other"},
    {"mask.fill-large", "masked scores became -1e9, and not -∞"},
    {"mask.after", "weights were set to 0 after the softmax"},
    {"mask.after-inf", "-∞ were put into the weights, after the softmax"},
    {"mask.mul-inf", "-∞ were multiplied with a table of zeros and ones"},
};

inline Array softmax(Array s, const std::string& slip) {
    if (slip == "sm.none") return s;
    if (slip == "sm.cols") return transposed(softmax(transposed(s), ""));
    if (slip == "sm.twice") return softmax(softmax(s, ""), "");
    const int width = s.width, row = slip == "sm.all" ? s.length * s.width : width;
    const double largest = *std::max_element(s.numbers.begin(), s.numbers.end());
    for (auto x = s.numbers.begin(); x != s.numbers.end(); x += row) {
        double shift = slip == "sm.global-max" ? largest : *std::max_element(x, x + row), sum = 0;
        if (slip == "sm.no-max" || slip == "sm.exp-only") shift = 0;
        for (int j = 0; j < row; ++j) {
            if (slip != "sm.sum-norm") x[j] = std::exp(x[j] - shift);
            sum += x[j];
        }
        for (int j = 0; j < row; ++j) x[j] /= slip == "sm.exp-only" ? 1 : sum;
        for (int j = 0; j < row && slip == "sm.log-mix"; ++j) x[j] = std::log(x[j]);
    }
    return s;
}
// The reference attention with one mistake, or none ("").
inline Array walk(Input in, double scale, const std::string& slip, bool want_weights) {
    const double d_k = in.K.width, T = in.K.length;
    const bool is_masked = in.mask.width > 0 && slip != "mask.absent";
    const bool is_causal = in.mask.numbers == causal().mask.numbers;
    const auto blocks = [&](int b, int i, int j) {
        const bool allows = in.mask(b, i, j) > 0;
        if (slip == "mask.inverted") return allows;
        if (slip == "mask.one-head") return !allows && b == 0;
        if (slip == "mask.pad-query-axis") return in.mask(b, j, i) == 0;
        if (slip == "mask.upper" && is_causal) return j < i;
        if (slip == "mask.strict" && is_causal) return j >= i;
        if (slip == "mask.plus1" && is_causal) return j > i + 1;
        return !allows;
    };
    if (slip == "att.no-scale" || slip == "att.scale-after") scale = 1;
    if (slip == "att.scale-dk") scale = 1 / d_k;
    if (slip == "att.scale-mul") scale = std::sqrt(d_k);
    if (slip == "att.scale-T") scale = 1 / std::sqrt(T);
    if (slip == "att.int-div") scale = 0;
    if (slip == "mask.mul-inf" && is_masked) scale = NAN;
    if (slip == "att.keys-from-queries") in.K = in.Q;
    if (slip == "att.q-from-keys") in.Q = in.K;
    if (slip == "att.kq") std::swap(in.Q, in.K);
    if (slip == "att.values-from-keys") in.V = in.K;
    const Array products = product(in.Q, transposed(slip == "att.keys-from-values" ? in.V : in.K));
    const bool late = slip == "mask.after" || slip == "mask.after-inf";
    const double fill = slip == "mask.fill0"        ? 0
                        : slip == "mask.fill-small" ? -1
                        : slip == "mask.fill-large" ? -1e9
                                                    : -INFINITY;
    Array w = made(2, in.Q.length, in.K.length, [&](int b, int i, int j) {
        return is_masked && !late && blocks(b, i, j) ? fill : products(b, i, j) * scale;
    });
    w = softmax(w, slip);
    w = made(2, w.length, w.width, [&](int b, int i, int j) -> double {
        if (is_masked && late && blocks(b, i, j)) return slip == "mask.after" ? 0 : -INFINITY;
        return slip == "att.scale-after" ? w(b, i, j) / std::sqrt(d_k) : w(b, i, j);
    });
    return want_weights ? w : product(slip == "att.weights-T" ? transposed(w) : w, in.V);
}

}  // namespace detail
}  // namespace passport

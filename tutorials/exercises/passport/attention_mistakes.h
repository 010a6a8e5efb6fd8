// A plain reference attention with its derivative, and common mistakes in them, each of which
// changes one step. The examiner compares yours with these.
#pragma once

#include "attention_inputs.h"

#include <utility>

namespace passport { namespace detail {

// "This is what I would see if ..."
const std::pair<const char*, const char*> mistakes[] = {
    {"att.no-scale", "the scores were not scaled"},
    {"att.scale-dk", "the scores were divided by d_k, and not by its root"},
    {"att.scale-mul", "the scores were multiplied by √d_k"},
    {"att.scale-dv", "the scores were divided by the root of d_v, the width of the values"},
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
    {"sm.max-0", "the search for the largest score began at 0, which is above negative scores"},
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
    {"mask.add-large", "-1e9 were added to masked scores, and not -∞ put in their place"},
    {"mask.zeros", "every score of exactly 0 were masked"},
    {"mask.blind-mean", "a query that may attend to nothing got the mean of all values"},
    {"mask.blind-open", "a query that may attend to nothing attended to everything"},
    {"mask.shared", "the mask of the first text were used for all"},
    {"mask.after", "weights were set to 0 after the softmax"},
    {"mask.after-inf", "-∞ were put into the weights, after the softmax"},
    {"mask.mul-inf", "-∞ were multiplied with a table of zeros and ones"},
};

// Of the derivative.
const std::pair<const char*, const char*> gradient_mistakes[] = {
    {"attb.scale-lost", "dQ and dK had been left without the scale"},
    {"attb.mask-leak", "the gradient went through masked scores"},
    {"attb.dK-noT", "dK were made without transposing the gradient of the scores"},
    {"smb.p-dy", "the sum below the powers were a constant, so that no gradient went through it"},
    {"smb.diag", "a weight's gradient were led only to its own score"},
    {"ag.no-upstream", "the upstream gradient had been ignored"},
};

inline Array softmax(Array s, const std::string& slip) {
    if (slip == "sm.none") return s;
    if (slip == "sm.cols") return transposed(softmax(transposed(s), ""));
    if (slip == "sm.twice") return softmax(softmax(s, ""), "");
    const int width = s.width, row = slip == "sm.all" ? s.length * s.width : width;
    const double largest = *std::max_element(s.numbers.begin(), s.numbers.end());
    for (auto x = s.numbers.begin(); x != s.numbers.end(); x += row) {
        double shift = slip == "sm.global-max" ? largest : *std::max_element(x, x + row), sum = 0;
        if (slip == "mask.blind-mean" && shift == -INFINITY) std::fill(x, x + row, shift = 0);
        if (slip == "sm.max-0") shift = std::fmax(shift, 0);
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

// Does it say what the numbers would be here? Some mistakes need as many queries as keys, are only
// made with the usual masks, or leave open what happens to large scores.
inline bool is_defined(const std::string& slip, const Case& input) {
    const Input& in = input.in;
    const bool is_square = in.Q.length == in.K.length, is_masked = in.mask.width > 0;
    const auto is = [&](const char* family) { return slip.rfind(family, 0) == 0; };
    if (input.slack > 1 && !is("sm.no-max") && !is("sm.max") && !is("sm.global") &&
        !is("mask.fill") && !is("mask.add") && !is("mask.blind"))
        return false;
    if (is("att.scale-T")) return is_square;
    if (is("att.k") || is("att.q") || is("att.values") || is("att.weights"))
        return is_square && in.K.width == in.V.width;
    if (is("mask.upper") || is("mask.strict") || is("mask.plus1"))
        return !is_masked || in.mask.numbers == causal().mask.numbers;
    if (is("mask.one-head")) return !is_masked || in.mask.batch == 2;
    if (is("mask.pad-query-axis")) return !is_masked || in.mask.numbers == padded().mask.numbers;
    return true;
}

inline bool blocks(const Input& in, const std::string& slip, int b, int i, int j) {
    const bool allows = in.mask(b, i, j) > 0;
    const auto is_causal = [&] { return in.mask.numbers == causal().mask.numbers; };
    if (slip == "mask.inverted") return allows;
    if (slip == "mask.one-head") return !allows && b == 0;
    if (slip == "mask.shared") return in.mask(0, i, j) == 0;
    if (slip == "mask.pad-query-axis") return in.mask(b, j, i) == 0;
    if (slip == "mask.upper" && is_causal()) return j < i;
    if (slip == "mask.strict" && is_causal()) return j >= i;
    if (slip == "mask.plus1" && is_causal()) return j > i + 1;
    return !allows;
}

inline double factor_of(const Input& in, double scale, const std::string& slip) {
    const double d_k = in.K.width, d_v = in.V.width, T = in.K.length;
    const bool is_masked = in.mask.width > 0;
    if (slip == "att.no-scale" || slip == "att.scale-after") return 1;
    if (slip == "att.scale-dk") return 1 / d_k;
    if (slip == "att.scale-mul") return std::sqrt(d_k);
    if (slip == "att.scale-dv") return 1 / std::sqrt(d_v);
    if (slip == "att.scale-T") return 1 / std::sqrt(T);
    if (slip == "att.int-div") return std::trunc(scale);
    return slip == "mask.mul-inf" && is_masked ? NAN : scale;
}

// Scores before the softmax.
inline Array masked_scores(const Input& in, double scale, const std::string& slip) {
    const bool is_masked = in.mask.width > 0 && slip != "mask.absent";
    const bool late = slip == "mask.after" || slip == "mask.after-inf";
    const double fill = slip == "mask.fill0"        ? 0
                        : slip == "mask.fill-small" ? -1
                        : slip == "mask.fill-large" ? -1e9
                                                    : -INFINITY;
    const double factor = factor_of(in, scale, slip);
    const Array products = product(in.Q, transposed(slip == "att.keys-from-values" ? in.V : in.K));
    const auto is_open = [&](int b, int i) {
        for (int j = 0; j < in.mask.width; ++j)
            if (in.mask(b, i, j) > 0) return false;
        return slip == "mask.blind-open";
    };
    return made(in.Q.batch, in.Q.length, in.K.length, [&](int b, int i, int j) {
        const double score = products(b, i, j) * factor;
        if (slip == "mask.zeros" && score == 0) return -INFINITY * 1.0;
        if (!is_masked || late || !blocks(in, slip, b, i, j) || is_open(b, i)) return score;
        return slip == "mask.add-large" ? score - 1e9 : fill;
    });
}

// The reference attention with one mistake, or none ("").
inline Array walk(Input in, double scale, const std::string& slip, bool want_weights) {
    if (slip == "att.keys-from-queries") in.K = in.Q;
    if (slip == "att.q-from-keys") in.Q = in.K;
    if (slip == "att.kq") std::swap(in.Q, in.K);
    if (slip == "att.values-from-keys") in.V = in.K;
    const bool late = in.mask.width > 0 && (slip == "mask.after" || slip == "mask.after-inf");
    Array w = softmax(masked_scores(in, scale, slip), slip);
    w = made(w.batch, w.length, w.width, [&](int b, int i, int j) -> double {
        if (late && blocks(in, slip, b, i, j)) return slip == "mask.after" ? 0 : -INFINITY;
        return slip == "att.scale-after" ? w(b, i, j) / std::sqrt(in.K.width) : w(b, i, j);
    });
    return want_weights ? w : product(slip == "att.weights-T" ? transposed(w) : w, in.V);
}

// The derivative with one mistake, or none; a query that may attend to nothing gets and gives 0.
inline Gradients walk_back(const Input& in, const Array& G, double scale, const std::string& slip) {
    const auto weights_of = [&](const Input& input) {
        Array w = walk(input, scale, "", true);
        for (double& x : w.numbers) x = x != x ? 0 : x;
        return w;
    };
    const Array w = weights_of(in), leaking = weights_of({in.Q, in.K, in.V});
    const Array& g = slip == "ag.no-upstream"
                         ? made(G.batch, G.length, G.width, [](int, int, int) { return 1; })
                         : G;
    const Array dw = product(g, transposed(in.V));
    Array ds = made(w.batch, w.length, w.width, [&](int b, int i, int j) {
        double mean = 0;
        for (int n = 0; n < w.width && slip != "smb.p-dy"; ++n) mean += w(b, i, n) * dw(b, i, n);
        const double x = slip == "attb.mask-leak" ? leaking(b, i, j) : w(b, i, j);
        return slip == "smb.diag" ? x * (1 - x) * dw(b, i, j) : x * (dw(b, i, j) - mean);
    });
    for (double& x : ds.numbers) x *= slip == "attb.scale-lost" ? 1 : scale;
    const bool turned = slip == "attb.dK-noT" && ds.length == ds.width;
    return {product(ds, in.K), product(turned ? ds : transposed(ds), in.Q),
            product(transposed(w), g)};
}

}  // namespace detail
}  // namespace passport

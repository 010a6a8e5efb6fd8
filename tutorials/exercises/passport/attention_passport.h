// The passport of an attention: checks laws that every correct attention obeys, however it is
// implemented, and names the known mistake that explains a failure, if there is one. Needs only the
// standard library and the headers beside it. README.md shows how to use it in your own project.
#pragma once

#include "attention_numbers.h"

namespace passport {

namespace detail {

inline void Examiner::weights_and_output() {
    const double tolerance = its.tolerance;
    law("no weight is negative, and each row sums to 1", [&] {
        for (const Input& in : taken({words(), causal(), padded()})) {
            const Array w = weights(in);
            for (auto row = w.numbers.begin(); row != w.numbers.end(); row += w.width) {
                const double sum = std::accumulate(row, row + w.width, 0.0);
                const double least = *std::min_element(row, row + w.width);
                if (is_near(sum, 1, tolerance) && least >= 0) continue;
                throw Broken{text("a row sums to ", sum, ", its least weight is ", least)};
            }
        }
        return "";
    });
    law("the output is weights·V", [&] {
        const Input in = taken({words(), causal()})[0];
        same(output(in), product(weights(in), in.V), tolerance, "output and weights·V");
        return "";
    });
    law("keys and values in another order change nothing", [&] {
        Input in = words();
        const Array before = output(in);
        in.K = rows(in.K, {3, 0, 4, 2, 1}), in.V = rows(in.V, {3, 0, 4, 2, 1});
        same(output(in), before, tolerance, "the output of another order");
        return "";
    });
    law("queries in another order give outputs in that order", [&] {
        Input in = words();
        const Array expected = rows(output(in), {3, 0, 4, 2, 1});
        in.Q = rows(in.Q, {3, 0, 4, 2, 1});
        same(output(in), expected, tolerance, "the output of another order");
        return "";
    });
    law("the same vector added to all keys changes no weight", [&] {
        Input in = taken({words(), causal()})[0];
        const Array before = weights(in), c = drawn(1, 1, 6, 7);
        in.K = made(2, 5, 6, [&](int b, int i, int j) { return in.K(b, i, j) + c(0, 0, j); });
        same(weights(in), before, tolerance, "the weights with shifted keys");
        return "";
    });
    law("texts of a batch do not meet", [&] {
        for (const Input& in : taken({words(), causal(), padded()})) {
            const Array all = output(in);
            for (int b = 0; b < 2; ++b)
                same(output(alone(in, b)), rows(all, first(5), b), tolerance,
                     text("text ", b, " alone and in a batch"));
        }
        return "";
    });
}

inline void Examiner::masks() {
    law("causal: the last word changes no earlier output, bit for bit", [&] {
        Input in = causal();
        const Array before = rows(output(in), first(4)), other = drawn(2, 5, 6, 9);
        for (Array* x : {&in.Q, &in.K, &in.V})
            *x = made(2, 5, 6, [&](int b, int i, int j) { return (i < 4 ? *x : other)(b, i, j); });
        same(rows(output(in), first(4)), before, 0, "an earlier output after the change");
        return "";
    });
    law("causal: the gradient to the future is exactly 0", [&] {
        const Input in = causal();
        Array G(2, 5, 6);
        for (int n = 6; n < 12; ++n) G.numbers[n] = n;  // of word 1 of the first text
        const Gradients g = gradients(in, G);
        for (const Array* dX : {&g.dK, &g.dV})
            for (int i = 2; i < 5; ++i)
                for (int j = 0; j < 6; ++j)
                    if ((*dX)(0, i, j) != 0)
                        throw Broken{
                            text("word 1's output sends ", (*dX)(0, i, j), " to word ", i)};
        return "";
    });
    law("a blocked key has weight 0, and an allowed one more", [&] {
        for (const Input& in : taken({causal(), padded()})) {
            const Array w = weights(in);
            for (int n = 0; n < int(w.numbers.size()); ++n) {
                if (in.mask.numbers[n] == 0 ? w.numbers[n] == 0 : w.numbers[n] > 0) continue;
                throw Broken{text("query ", n / 5 % 5, " gives key ", n % 5, ", which is ",
                                  in.mask.numbers[n] == 0 ? "blocked, " : "allowed, ",
                                  "the weight ", w.numbers[n])};
            }
        }
        return "";
    });
    law("padding is as if it were not there", [&] {
        const Input in = padded();
        const Array all = output(in);
        for (int b = 0; b < 2; ++b) {
            const Input cut{rows(in.Q, first(5), b), rows(in.K, first(3 + b), b),
                            rows(in.V, first(3 + b), b)};
            same(rows(all, first(5), b), output(cut), its.tolerance, "padded and cut");
        }
        return "";
    });
    law("a query that may attend to nothing gets zeros", [&]() -> std::string {
        const Array y = rows(output(blind()), {2});
        const auto is_zero = [](double x) { return x == 0; };
        const auto is_nan = [](double x) { return x != x; };
        if (std::all_of(y.numbers.begin(), y.numbers.end(), is_zero)) return "";
        if (std::all_of(y.numbers.begin(), y.numbers.end(), is_nan)) return "(NaN, as in PyTorch)";
        throw Broken{text("it gets ", y.numbers[0], ", ", y.numbers[1], ", ...")};
    });
}

inline void Examiner::numbers() {
    const double expected = scale(6);
    // One query q; keys at ±q with scores ±s before scaling, three with score 0.
    const auto of_scores = [&](double s) {
        Input in = sized(2, 5, 5, 6, 7);
        const Array q = rows(in.Q, {0, 0, 0, 0, 0});
        double norm = 0;
        for (int j = 0; j < 6; ++j) norm += q(0, 0, j) * q(0, 0, j);
        in.K = made(2, 5, 6, [&](int, int i, int j) {
            return (i == 0 ? s : i == 1 ? -s : 0) * q(0, 0, j) / norm;
        });
        return weights(in);
    };
    law("the scores are scaled as they should be", [&] {
        // tanh(s·scale), about s·scale for small s
        const Array w = of_scores(0.01);
        const double scale = (w(0, 0, 0) - w(0, 0, 1)) / (w(0, 0, 0) + w(0, 0, 1)) / 0.01;
        if (std::fabs(scale - expected) < 0.01 * expected) return text("by ", scale);
        const std::pair<const char*, double> known[] = {{" (not at all)", 1},
                                                        {" (√d_k)", std::sqrt(6.0)},
                                                        {" (1/d_k)", 1.0 / 6},
                                                        {" (1/√d_k)", 1 / std::sqrt(6.0)},
                                                        {" (1/√T)", 1 / std::sqrt(5.0)},
                                                        {" (1/√d_v)", 1 / std::sqrt(7.0)}};
        std::string name;
        for (const auto& [what, value] : known)
            if (std::fabs(scale - value) < 0.01 * value) name = what;
        throw Broken{text("they are multiplied by ", scale, name, "; it should be ", expected)};
    });
    law("weights grow as exp(score)", [&] {
        const Array w = of_scores(2 / expected);
        const double ratio = w(0, 0, 0) * w(0, 0, 1) / (w(0, 0, 2) * w(0, 0, 2));
        if (is_near(ratio, 1, its.tolerance)) return "";
        throw Broken{text("for scores s, -s and 0 it is w(s)·w(-s) = ", ratio, "·w(0)²")};
    });
    law("equal scores give the mean of the values", [&] {
        Input in = words();
        in.Q = Array(2, 5, 6);
        const Array mean = product(made(2, 5, 5, [](int, int, int) { return 0.2; }), in.V);
        same(output(in), mean, its.tolerance, "the output of queries of zeros and the mean");
        return "";
    });
    law("of one key the output is its value", [&] {
        const Input in = sized(2, 1, 1, 6, 6);
        same(output(in), in.V, its.tolerance, "output and value");
        return "";
    });
    law("queries and keys, keys and values may differ in number and length", [&] {
        const Input in = sized(2, 3, 5, 6, 4);
        same(output(in), product(weights(in), in.V), its.tolerance, "output and weights·V");
        return "";
    });
    law("scores of ±100000 give numbers", [&] {
        for (const double y : output(taken({large()})[0]).numbers)
            if (!std::isfinite(y))
                throw Broken{text("the output has a ", y != y ? "NaN" : "infinity")};
        return "";
    });
}

inline void Examiner::derivatives() {
    const Array G = drawn(2, 5, 6, 8);
    law("the gradient is that of finite differences", [&] {
        Input in = taken({words(), causal()})[0];
        const Gradients g = gradients(in, G);
        const std::pair<Array*, const Array*> pairs[] = {
            {&in.Q, &g.dQ}, {&in.K, &g.dK}, {&in.V, &g.dV}};
        const double h = std::sqrt(its.tolerance);
        const auto loss = [&] {
            const Array y = output(in);
            return std::inner_product(G.numbers.begin(), G.numbers.end(), y.numbers.begin(), 0.0);
        };
        for (int p = 0; p < 3; ++p) {
            const auto& [x, dx] = pairs[p];
            for (std::size_t n = 0; n < x->numbers.size(); ++n) {
                const double was = x->numbers[n], given = dx->numbers[n];
                x->numbers[n] = was + h;
                const double up = loss();
                x->numbers[n] = was - h;
                const double slope = (up - loss()) / (2 * h);
                x->numbers[n] = was;
                if (!is_near(given, slope, 10 * its.tolerance))
                    throw Broken{
                        text("d", "QKV"[p], " is ", not_as(given, slope), ", at ", place(*x, n))};
            }
        }
        return "";
    });
}

inline void Examiner::calls() {
    law("the gradient is linear in the upstream one", [&] {
        const Input in = taken({words(), causal()})[0];
        const Array G = drawn(2, 5, 6, 8);
        Array twice = G;
        for (double& x : twice.numbers) x *= 2;
        const Array one = gradients(in, G).dV;
        Array two = gradients(in, twice).dV;
        for (double& x : two.numbers) x /= 2;
        same(two, one, its.tolerance, "half of dV for 2·G and dV for G");
        return "";
    });
    law("inputs and mask stay as they are", [&] {
        if (!its.output) throw NotAsked{"there is no function output"};
        for (const Input& given : taken({causal(), words(), padded(), large(), blind()})) {
            Input in = given;
            Array G = drawn(2, 5, 6, 8);
            const Array G_given = G;
            const auto unchanged = [&](const std::string& what) {
                same(in.Q, given.Q, 0, "Q after the call" + what + " and before");
                same(in.K, given.K, 0, "K after the call" + what + " and before");
                same(in.V, given.V, 0, "V after the call" + what + " and before");
                same(in.mask, given.mask, 0, "the mask after the call" + what + " and before");
                same(G, G_given, 0, "G after the call" + what + " and before");
            };
            its.output(in.Q, in.K, in.V, in.mask);
            unchanged("");
            if (its.weights) its.weights(in.Q, in.K, in.V, in.mask);
            unchanged(" of weights");
            if (its.gradients) its.gradients(in.Q, in.K, in.V, in.mask, G);
            unchanged(" of gradients");
        }
        return "";
    });
    law("the same call gives the same, whatever was called between", [&] {
        const std::vector<Input> all = taken({words(), causal(), padded()});
        const Array with_last_mask =
            walk({all[0].Q, all[0].K, all[0].V, all.back().mask}, scale(6), "", false);
        const Array before = output(all[0]);
        for (const Input& in : all) output(in);
        const Array after = output(all[0]);
        if (all.size() > 1) kept_its_mask = first_unlike(after, with_last_mask, its.tolerance) < 0;
        same(after, before, 0, "the output of a second call");
        return "";
    });
}

inline Passport Examiner::examine() {
    weights_and_output();
    masks();
    numbers();
    derivatives();
    calls();
    reference();
    try {
        if (passport.count(Verdict::broken) > 0) name_the_mistake();
    } catch (...) {  // exceptions were reported above
    }
    return passport;
}

}  // namespace detail

// Checks all laws. An exception (std::exception) from the attention is a finding.
inline Passport passport_of(const Adapter& attention) {
    return detail::Examiner(attention).examine();
}

}  // namespace passport

// What the attention is called with: first five words, where every law can be asked, then inputs on
// which each wrong belief shows: sizes that all differ, masks of every kind, scores of every size.
#pragma once

#include "attention_adapter.h"

#include <cmath>
#include <numeric>
#include <random>

namespace passport::detail {

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
inline Input sized(int B, int T_q, int T_k, int d_k, int d_v) {
    return {drawn(B, T_q, d_k, 1), drawn(B, T_k, d_k, 2), drawn(B, T_k, d_v, 3)};
}
inline Input words() { return sized(2, 5, 5, 6, 6); }  // five words, self-attention
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

struct Case {
    std::string what;
    Input in;
    double slack = 1;  // where float has few digits left, the tolerance is this much larger
};

inline std::vector<Case> five_words() {
    return {{"five words", words()},
            {"five words, causal", causal()},
            {"five words, padded at the end", padded()},
            {"five words, a query that sees nothing", blind()},
            {"five words, some with large scores", large(), 100}};
}

inline Case of_size(int B, int T_q, int T_k, int d_k, int d_v) {
    std::string what = std::to_string(B) + " × " + std::to_string(T_q) + " queries, " +
                       std::to_string(T_k) + " keys, d_k " + std::to_string(d_k) + ", d_v " +
                       std::to_string(d_v);
    return {what, sized(B, T_q, T_k, d_k, d_v)};
}
inline std::vector<Case> other_sizes() {
    return {of_size(3, 4, 7, 5, 2),   of_size(2, 7, 3, 2, 5),   of_size(4, 6, 6, 3, 8),
            of_size(3, 1, 6, 4, 3),   of_size(2, 4, 1, 3, 5),   of_size(1, 1, 1, 1, 1),
            of_size(2, 3, 150, 4, 3), of_size(1, 140, 3, 2, 2), of_size(2, 3, 4, 67, 35),
            of_size(9, 2, 3, 2, 2)};
}

// 3 texts of 4 queries and 7 keys, or of T_q and T_k.
template <class Allowed>
Case under(const std::string& what, Allowed allowed, int T_q = 4, int T_k = 7) {
    Input in = sized(3, T_q, T_k, 5, 2);
    in.mask = made(3, T_q, T_k, allowed);
    return {what, in};
}
// Scores of exactly 0: query 0 of each text, and key 1.
inline Case with_zeros(const std::string& what, Case zeros) {
    zeros.what = what;
    for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 5; ++c) zeros.in.Q(b, 0, c) = zeros.in.K(b, 1, c) = 0;
    return zeros;
}
// Key 2, which is blocked, would have the largest score by far.
inline Case blocked_best() {
    Case best = under("a blocked key with a score 1000 above the others",
                      [](int, int, int j) { return j != 2; });
    for (int b = 0; b < 3; ++b) {
        for (int i = 0; i < 4; ++i) best.in.Q(b, i, 0) = 1;
        for (int j = 0; j < 7; ++j) best.in.K(b, j, 0) = j == 2 ? 3000 : 0;
    }
    return best;
}
inline std::vector<Case> other_masks() {
    const auto scattered = [](int b, int i, int j) { return (b + 3 * i + j * j) % 4 != 0; };
    return {
        under("padding at the front, of another length in each text",
              [](int b, int, int j) { return j > b; }),
        under("padding in the middle", [](int b, int, int j) { return j < 2 || j > 2 + b; }),
        under("a mask that differs in every text and query", scattered),
        under("causal, each query sees the keys up to its own number",
              [](int, int i, int j) { return j <= i; }),
        under("causal, the last query sees every key",
              [](int, int i, int j) { return j <= i + 3; }),
        under(
            "causal, three words", [](int, int i, int j) { return j <= i; }, 3, 3),
        under(
            "fewer keys than queries", [](int b, int i, int j) { return (b + i + j) % 3 != 1; }, 6,
            3),
        under(
            "one query", [](int b, int, int j) { return j % 3 == b; }, 1, 6),
        under(
            "one key, which some texts may not see", [](int b, int, int) { return b != 1; }, 4, 1),
        under("texts of which the second is padding only", [](int b, int, int) { return b != 1; }),
        under(
            "one query and one key, which it may not see in the first text",
            [](int b, int, int) { return b != 0; }, 1, 1),
        with_zeros("scores of exactly 0 under a mask", under("", scattered)),
        with_zeros("scores of exactly 0 and no mask", of_size(3, 4, 7, 5, 2)),
        blocked_best(),
        under(
            "150 keys, up to 140 of them padding at the front",
            [](int b, int, int j) { return j >= 70 * b; }, 4, 150),
        under(
            "150 keys, causal, 110 of them padding in the middle",
            [](int, int i, int j) { return j < 20 + i || (j > 130 && j < 140 + i); }, 4, 150),
    };
}

// Numbers without rounding: q·k = `first`(b, i) + a small whole number; d_k is 4, its root 2.
template <class First>
Input around(First first) {
    Input in = sized(3, 4, 6, 4, 3);
    in.Q = made(3, 4, 4, [&](int b, int i, int c) {
        return c == 0 ? first(b, i) : c == 1 ? 1 + i % 2 : (b + i + c) % 3 - 1.0;
    });
    in.K = made(3, 6, 4, [](int b, int j, int c) {
        return c == 0 ? 1 : c == 1 ? 2.0 * j - 5 : (b + 2 * j + c) % 3 - 1.0;
    });
    return in;
}
// Scores of ±size²·(1 + place/2)/2: two keys that are alike share all the weight.
inline Input apart(double size, double sign) {
    Input in = sized(3, 4, 6, 4, 3);
    in.Q = made(3, 4, 4, [&](int, int i, int c) { return c == i % 4 ? size : 0; });
    in.K = made(3, 6, 4, [&](int b, int j, int) {
        const int place = std::clamp((j + b) % 6, 1, 4);
        return sign * size * (1 + place / 2.0);
    });
    return in;
}
// Two keys are blocked, among them those with the largest scores of apart().
inline Input with_mask(Input in) {
    in.mask = made(in.Q.batch, in.Q.length, in.K.length,
                   [&](int b, int, int j) { return (b + j) % 6 < 4; });
    return in;
}
// The first keys have weights below 0.001, but large values.
inline Input small_weights() {
    Input in = around([](int, int) { return 0.0; });
    for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c) in.V(b, 0, c) = in.V(b, 1, c) = 1000 + c;
    return in;
}
inline std::vector<Case> other_scores() {
    const auto all = [](double x) { return [x](int, int) { return x; }; };
    const Input below = around(all(-2000)), above = around(all(2000));
    return {
        {"all scores about -1000", below, 100},
        {"all scores about 1000", above, 100},
        {"all scores about -1000, some blocked", with_mask(below), 100},
        {"all scores about 1000, some blocked", with_mask(above), 100},
        {"scores about -30 and 30 by turns",
         around([](int, int i) { return i % 2 ? -60.0 : 60.0; }), 10},
        {"rows 2000 apart", around([](int, int i) { return i % 2 ? -2000.0 : 2000.0; }), 100},
        {"texts 2000 apart", around([](int b, int) { return b % 2 ? -2000.0 : 2000.0; }), 100},
        {"all scores from -100000 down", apart(500, -1), 10},
        {"all scores from 100000 up", apart(500, 1), 10},
        {"all scores from -100000 down, some blocked", with_mask(apart(500, -1)), 10},
        {"all scores from 100000 up, some blocked", with_mask(apart(500, 1)), 10},
        {"all scores from -10000000000 down, some blocked", with_mask(apart(2e5, -1)), 10},
        {"all scores from 10000000000 up, some blocked", with_mask(apart(2e5, 1)), 10},
        {"scores 4 to 9 below the best, with large values", small_weights(), 10},
    };
}

// Scores that rise from -1500 to 1500 along 600 keys, or fall.
inline Case sloping(const char* what, double sign) {
    Input in = sized(3, 4, 600, 4, 3);
    for (int b = 0; b < 3; ++b) {
        for (int i = 0; i < 4; ++i) in.Q(b, i, 0) = 2;
        for (int j = 0; j < 600; ++j) in.K(b, j, 0) = sign * 5 * (j - 300);
    }
    return {what, in, 10};
}
// More keys than two tiles of 256 hold, or three of 200, and more queries than one.
inline std::vector<Case> many_words() {
    return {
        of_size(2, 3, 600, 4, 3),
        of_size(1, 300, 3, 2, 2),
        under(
            "600 keys, up to 598 of them padding at the front",
            [](int b, int, int j) { return j >= 299 * b; }, 4, 600),
        under(
            "600 keys, causal, 300 of them padding in the middle",
            [](int, int i, int j) { return j < 200 + i || (j > 500 && j < 590 + i); }, 4, 600),
        sloping("scores that rise along 600 keys", 1),
        sloping("scores that fall along 600 keys", -1),
    };
}

// Upstream gradients for five words, with zeros: those of a loss that looks at some of the output.
struct Upstream {
    std::string what;
    Array G;
};
inline std::vector<Upstream> with_zeros() {
    const auto only = [](const char* what, auto counts) -> Upstream {
        const Array G = drawn(2, 5, 6, 8);
        return {what, made(2, 5, 6,
                           [&](int b, int i, int j) { return counts(b, i, j) ? G(b, i, j) : 0; })};
    };
    return {
        only("two words count in the loss", [](int, int i, int) { return i == 1 || i == 4; }),
        only("two columns count in the loss", [](int, int, int j) { return j == 0 || j == 3; }),
        only("the second text counts in the loss", [](int b, int, int) { return b == 1; }),
        only("every other entry counts", [](int b, int i, int j) { return (b + i + j) % 2 == 1; }),
        only("a single entry counts", [](int b, int i, int j) { return b + i == 3 && j == 2; }),
        only("nothing counts in the loss", [](int, int, int) { return false; }),
    };
}

}  // namespace passport::detail

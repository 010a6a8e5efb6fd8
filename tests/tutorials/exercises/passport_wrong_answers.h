// Wrong attentions as learners and careless engineers write them, for the passport.
#pragma once

#include "passport_parts.h"

#include <map>
#include <memory>

namespace passport_answers {

using namespace passport;

inline std::vector<Answer> wrong_scales() {
    return {
        {"divided by the root of the width of V",
         of_weights([](auto& Q, auto& K, auto& V, auto& mask) {
             return softmax(shut(scores_of(Q, K, 1 / std::sqrt(V.width)), mask));
         })},
        {"divided by the root of the width, rounded down",
         of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             return softmax(
                 shut(scores_of(Q, K, 1.0 / static_cast<int>(std::sqrt(Q.width))), mask));
         })},
        {"the scale is that of the first call",
         [] {
             const auto scale = std::make_shared<double>(0);
             return of_weights([scale](auto& Q, auto& K, auto&, auto& mask) {
                 if (*scale == 0) *scale = 1 / std::sqrt(Q.width);
                 return softmax(shut(scores_of(Q, K, *scale), mask));
             });
         }()},
        {"two columns at a time, so that an odd last one is left out",
         of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             Array q = Q;
             for (int n = 0; Q.width % 2 == 1 && n < Q.batch * Q.length; ++n) {
                 q.numbers[(n + 1) * Q.width - 1] = 0;
             }
             return softmax(shut(scores_of(q, K), mask));
         })},
        {"scores beyond 50 are cut off", of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             Array S = scores_of(Q, K);
             for (double& s : S.numbers) s = std::fmin(std::fmax(s, -50), 50);
             return softmax(shut(S, mask));
         })},
        {"infinite scores at 1e5", of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             Array S = scores_of(Q, K);
             for (double& s : S.numbers) {
                 if (std::fabs(s) > 65504) s = s > 0 ? infinity : -infinity;  // half precision
             }
             return softmax(shut(S, mask));
         })},
    };
}

inline Adapter with_softmax(const std::function<Row(const Row&)>& row) {
    return of_weights([row](auto& Q, auto& K, auto&, auto& mask) {
        return by_rows(shut(scores_of(Q, K), mask), row);
    });
}
inline double most_of(const Row& s, double start) {
    for (double x : s) start = std::fmax(start, x);
    return start;
}

inline std::vector<Answer> wrong_softmaxes() {
    const auto zero_if_blind = [](const Row& s, double shift, double extra) {
        return most_of(s, -infinity) == -infinity ? Row(s.size()) : exponentials(s, shift, extra);
    };
    return {
        {"the maximum starts at 0",
         with_softmax([=](const Row& s) { return zero_if_blind(s, most_of(s, 0), 0); })},
        {"the maximum starts at the least positive number", with_softmax([=](const Row& s) {
             return zero_if_blind(s, most_of(s, std::numeric_limits<double>::min()), 0);
         })},
        {"the maximum starts at -1e4",
         with_softmax([=](const Row& s) { return zero_if_blind(s, most_of(s, -1e4), 0); })},
        {"no maximum", with_softmax([=](const Row& s) { return zero_if_blind(s, 0, 0); })},
        {"the first score for the maximum", with_softmax([=](const Row& s) {
             return zero_if_blind(s, s[0] == -infinity ? 0 : s[0], 0);
         })},
        {"the least score for the maximum", with_softmax([=](const Row& s) {
             double least = infinity;
             for (double x : s) {
                 if (x != -infinity) least = std::fmin(least, x);
             }
             return zero_if_blind(s, least, 0);
         })},
        {"the largest absolute value for the maximum", with_softmax([=](const Row& s) {
             double most = 0;
             for (double x : s) {
                 if (x != -infinity) most = std::fmax(most, std::fabs(x));
             }
             return zero_if_blind(s, most, 0);
         })},
        {"0.0001 added to the sum",
         with_softmax([=](const Row& s) { return zero_if_blind(s, most_of(s, -infinity), 1e-4); })},
        {"1 added to the sum",
         with_softmax([=](const Row& s) { return zero_if_blind(s, most_of(s, -infinity), 1); })},
        {"the maximum of all texts", of_weights([=](auto& Q, auto& K, auto&, auto& mask) {
             const Array S = shut(scores_of(Q, K), mask);
             const double most = most_of(S.numbers, -infinity);
             return by_rows(S, [=](const Row& s) { return zero_if_blind(s, most, 0); });
         })},
        {"the maximum of the blocked keys, too",
         of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             const Array S = scores_of(Q, K);
             Array E = by_rows(S, [](const Row& s) {
                 Row e;
                 for (double x : s) e.push_back(std::exp(x - most_of(s, -infinity)));
                 return e;
             });
             E = shut(E, mask, 0);
             return by_rows(E, [](Row e) {
                 double total = 0;
                 for (double x : e) total += x;
                 for (double& x : e) x = total > 0 ? x / total : 0;
                 return e;
             });
         })},
        {"weights below 0.001 are dropped", with_softmax([](const Row& s) {
             Row p = softmax_of_row(s);
             for (double& x : p) x = x < 1e-3 ? 0 : x;
             return p;
         })},
    };
}

inline Adapter with_mask(const std::function<Array(const Array& S, const Array& mask)>& masked) {
    return of_weights([masked](auto& Q, auto& K, auto&, auto& mask) {
        return softmax(mask.numbers.empty() ? scores_of(Q, K) : masked(scores_of(Q, K), mask));
    });
}
// The mask with each entry from elsewhere, b, i and j changed in place.
inline Array moved(const Array& mask, const std::function<void(int& b, int& i, int& j)>& move) {
    Array other = mask;
    for (int b = 0; b < mask.batch; ++b)
        for (int i = 0; i < mask.length; ++i)
            for (int j = 0; j < mask.width; ++j) {
                int from_b = b, from_i = i, from_j = j;
                move(from_b, from_i, from_j);
                other(b, i, j) = mask(from_b, from_i, from_j);
            }
    return other;
}
inline Adapter with_moved_mask(const std::function<void(int& b, int& i, int& j)>& move) {
    return with_mask(
        [move](const Array& S, const Array& mask) { return shut(S, moved(mask, move)); });
}

inline std::vector<Answer> wrong_masks() {
    std::vector<Answer> answers;
    const std::map<std::string, double> numbers = {
        {"-1e4", -1e4}, {"-1e9", -1e9}, {"-100", -100}, {"0", 0}};
    for (const auto& [name, number] : numbers) {
        const double fill = number;
        answers.push_back(
            {"blocked scores are " + name,
             with_mask([fill](const Array& S, const Array& mask) { return shut(S, mask, fill); })});
    }
    for (const std::string name : {"-1e4", "-1e9"}) {
        const double penalty = numbers.at(name);
        answers.push_back(
            {name + " added to blocked scores", with_mask([penalty](Array S, const Array& mask) {
                 for (std::size_t n = 0; n < mask.numbers.size(); ++n) {
                     S.numbers[n] += (1 - mask.numbers[n]) * penalty;
                 }
                 return S;
             })});
    }
    const std::vector<Answer> others = {
        {"a score of exactly 0 is blocked", with_mask([](Array S, const Array& mask) {
             S = shut(S, mask, 0);
             for (double& s : S.numbers) s = s == 0 ? -infinity : s;
             return S;
         })},
        {"the mask of the first text for all", with_moved_mask([](int& b, int&, int&) { b = 0; })},
        {"the mask of the first query for all", with_moved_mask([](int&, int& i, int&) { i = 0; })},
        {"the mask of the last query for all", with_mask([](const Array& S, const Array& mask) {
             return shut(S, moved(mask, [&](int&, int& i, int&) { i = mask.length - 1; }));
         })},
        {"the number of keys that the mask allows, taken from the front",
         with_mask([](Array S, const Array& mask) {
             for (int b = 0; b < S.batch; ++b)
                 for (int i = 0; i < S.length; ++i) {
                     int count = 0;
                     for (int j = 0; j < S.width; ++j) count += mask(b, i, j) != 0;
                     for (int j = count; j < S.width; ++j) S(b, i, j) = -infinity;
                 }
             return S;
         })},
        {"all up to the last key that the mask allows", with_mask([](Array S, const Array& mask) {
             for (int b = 0; b < S.batch; ++b)
                 for (int i = 0; i < S.length; ++i)
                     for (int j = S.width - 1; j >= 0 && mask(b, i, j) == 0; --j)
                         S(b, i, j) = -infinity;
             return S;
         })},
        {"any mask is causal", with_mask([](Array S, const Array&) {
             for (int b = 0; b < S.batch; ++b)
                 for (int i = 0; i < S.length; ++i)
                     for (int j = i + 1; j < S.width; ++j) S(b, i, j) = -infinity;
             return S;
         })},
        {"blind queries see all", with_mask([](const Array& S, const Array& mask) {
             Array open = shut(S, mask);
             for (int b = 0; b < S.batch; ++b)
                 for (int i = 0; i < S.length; ++i) {
                     bool blind = true;
                     for (int j = 0; j < S.width; ++j) blind = blind && mask(b, i, j) == 0;
                     for (int j = 0; blind && j < S.width; ++j) open(b, i, j) = S(b, i, j);
                 }
             return open;
         })},
        {"a mask only where T_q is T_k", with_mask([](const Array& S, const Array& mask) {
             return S.length == S.width ? shut(S, mask) : S;
         })},
        {"a mask only from two queries on", with_mask([](const Array& S, const Array& mask) {
             return S.length > 1 ? shut(S, mask) : S;
         })},
        {"causal without a mask where T_q is T_k",
         of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             Array S = shut(scores_of(Q, K), mask);
             for (int b = 0; mask.numbers.empty() && S.length == S.width && b < S.batch; ++b)
                 for (int i = 0; i < S.length; ++i)
                     for (int j = i + 1; j < S.width; ++j) S(b, i, j) = -infinity;
             return softmax(S);
         })},
        {"weights that are multiplied by the mask, not divided again",
         of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             return shut(softmax(scores_of(Q, K)), mask, 0);
         })},
    };
    answers.insert(answers.end(), others.begin(), others.end());
    return answers;
}

}  // namespace passport_answers

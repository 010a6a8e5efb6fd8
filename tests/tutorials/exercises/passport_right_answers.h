// Right attentions that look unusual, for the passport.
#pragma once

#include "passport_wrong_calls.h"

namespace passport_answers {

using namespace passport;

inline Array root_of_each(const Array& Q, const Array& K) {
    const double fourth = std::pow(Q.width, -0.25);
    return scores_of(times(Q, fourth), times(K, fourth), 1);
}

// Each query in float, as a user of float would write it.
inline Array in_float(const Array& Q, const Array& K, const Array& V, const Array& mask) {
    Array Y(Q.batch, Q.length, V.width);
    for (int b = 0; b < Q.batch; ++b)
        for (int i = 0; i < Q.length; ++i) {
            std::vector<float> s(K.length, 0.0f);
            float most = -std::numeric_limits<float>::infinity(), total = 0;
            for (int j = 0; j < K.length; ++j) {
                for (int c = 0; c < Q.width; ++c) {
                    s[j] += static_cast<float>(Q(b, i, c)) * static_cast<float>(K(b, j, c));
                }
                s[j] /= std::sqrt(static_cast<float>(Q.width));
                if (!mask.numbers.empty() && mask(b, i, j) == 0) {
                    s[j] = -std::numeric_limits<float>::infinity();
                }
                most = std::fmax(most, s[j]);
            }
            if (std::isinf(most)) continue;
            for (float& x : s) total += x = std::exp(x - most);
            for (int c = 0; c < V.width; ++c) {
                float y = 0;
                for (int j = 0; j < K.length; ++j)
                    y += s[j] / total * static_cast<float>(V(b, j, c));
                Y(b, i, c) = y;
            }
        }
    return Y;
}

inline std::vector<Answer> right_answers() {
    std::vector<Answer> answers = {
        {"blocks of 3 keys", in_blocks({.size = 3})},
        {"one key at a time", in_blocks({.size = 1})},
        {"the fourth root of the scale on either side",
         of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             return softmax(shut(root_of_each(Q, K), mask));
         })},
        {"the logarithm of the sum is subtracted",
         of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             return by_rows(shut(scores_of(Q, K), mask), [](Row s) {
                 const double most = *std::max_element(s.begin(), s.end());
                 if (most == -infinity) return Row(s.size());
                 double total = 0;
                 for (double x : s) total += std::exp(x - most);
                 for (double& x : s) x = std::exp(x - most - std::log(total));
                 return s;
             });
         })},
        {"blocked keys are left out, not filled",
         of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             const Array S = scores_of(Q, K);
             Array Y(Q.batch, Q.length, V.width);
             for (int b = 0; b < Q.batch; ++b)
                 for (int i = 0; i < Q.length; ++i) {
                     std::vector<int> seen;
                     Row s;
                     for (int j = 0; j < K.length; ++j) {
                         if (!mask.numbers.empty() && mask(b, i, j) == 0) continue;
                         seen.push_back(j);
                         s.push_back(S(b, i, j));
                     }
                     if (seen.empty()) continue;
                     const Row p = softmax_of_row(s);
                     for (std::size_t n = 0; n < seen.size(); ++n)
                         for (int c = 0; c < V.width; ++c) Y(b, i, c) += p[n] * V(b, seen[n], c);
                 }
             return Y;
         })},
        {"from the last query to the first, text by text",
         of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array Y(Q.batch, Q.length, V.width);
             for (int b = Q.batch - 1; b >= 0; --b)
                 for (int i = Q.length - 1; i >= 0; --i) {
                     Array row;
                     if (!mask.numbers.empty()) row = some_rows(text(mask, b), i, 1);
                     const Array y =
                         right_output(some_rows(text(Q, b), i, 1), text(K, b), text(V, b), row);
                     for (int c = 0; c < V.width; ++c) Y(b, i, c) = y.numbers[c];
                 }
             return Y;
         })},
        {"blocked scores are the lowest number there is, blind rows 0",
         of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             const double lowest = std::numeric_limits<double>::lowest();
             return shut(softmax(shut(scores_of(Q, K), mask, lowest)), mask, 0);
         })},
        {"exp of halves, squared", of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             return by_rows(shut(scores_of(Q, K), mask), [](Row s) {
                 const double most = *std::max_element(s.begin(), s.end());
                 if (most == -infinity) return Row(s.size());
                 double total = 0;
                 for (double& x : s) {
                     const double half = std::exp((x - most) / 2);
                     total += x = half * half;
                 }
                 for (double& x : s) x /= total;
                 return s;
             });
         })},
        {"no masks at all",
         [] {
             Adapter adapter = of_weights(right_weights);
             adapter.takes = [](const Array& mask) { return mask.numbers.empty(); };
             return adapter;
         }()},
    };
    answers.push_back({"in float", of_output(in_float)});
    answers.back().adapter.tolerance = 1e-4;
    answers.push_back({"with its gradients, which the maximum takes part in",
                       of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
                           return backward(Q, K, V, mask, G);
                       })});
    answers.push_back({"gradients column by column of V",
                       of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
                           Gradients sum = backward(Q, K, V, mask, times(G, 0));
                           for (int c = 0; c < V.width; ++c) {
                               Array one = times(G, 0);
                               for (int n = c; n < static_cast<int>(G.numbers.size());
                                    n += V.width) {
                                   one.numbers[n] = G.numbers[n];
                               }
                               const Gradients part = backward(Q, K, V, mask, one);
                               for (auto which : {&Gradients::dQ, &Gradients::dK, &Gradients::dV}) {
                                   Array& total = sum.*which;
                                   for (std::size_t n = 0; n < total.numbers.size(); ++n) {
                                       total.numbers[n] += (part.*which).numbers[n];
                                   }
                               }
                           }
                           return sum;
                       })});
    return answers;
}

}  // namespace passport_answers

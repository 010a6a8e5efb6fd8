// More wrong attentions for the passport: sizes, texts, calls, stages that differ.
#pragma once

#include "passport_parts.h"

#include <memory>
#include <random>

namespace passport_answers {

using namespace passport;

// Keys and values first .. first + count - 1 of x.
inline Array some_rows(const Array& x, int first, int count) {
    Array y(x.batch, count, x.width);
    for (int b = 0; b < y.batch; ++b)
        for (int i = 0; i < y.length; ++i)
            for (int c = 0; c < y.width; ++c) y(b, i, c) = x(b, first + i, c);
    return y;
}
inline Array text(const Array& x, int b) {
    if (x.numbers.empty()) return x;
    Array y(1, x.length, x.width);
    std::copy_n(x.numbers.begin() + b * y.numbers.size(), y.numbers.size(), y.numbers.begin());
    return y;
}
inline Array first_text_for_all(const Array& x) {
    Array y = x;
    const Array first = text(x, 0);
    for (std::size_t n = 0; n < y.numbers.size(); ++n) {
        y.numbers[n] = first.numbers[n % first.numbers.size()];
    }
    return y;
}

// Online softmax over blocks of keys, as it should be but for these.
struct Blocks {
    int size = 4;
    bool rescales = true;  // what has been added up, when the maximum rises
    bool rescales_total = true;
    bool takes_the_rest = true;  // a last block that is not full
    bool skips_blocked = true;   // blocks before the first key that may be seen
};
inline Array online(const Array& Q, const Array& K, const Array& V, const Array& mask,
                    const Blocks& blocks) {
    const Array S = shut(scores_of(Q, K), mask);
    const int keys = blocks.takes_the_rest || K.length < blocks.size
                         ? K.length
                         : K.length - K.length % blocks.size;
    Array Y(Q.batch, Q.length, V.width);
    for (int b = 0; b < Q.batch; ++b)
        for (int i = 0; i < Q.length; ++i) {
            double most = -infinity, total = 0;
            for (int start = 0; start < keys; start += blocks.size) {
                const int stop = std::min(start + blocks.size, keys);
                double higher = most;
                for (int j = start; j < stop; ++j) higher = std::fmax(higher, S(b, i, j));
                if (higher == -infinity && blocks.skips_blocked) continue;
                const double factor = std::exp(most - higher);
                if (blocks.rescales_total) total *= factor;
                for (int c = 0; blocks.rescales && c < V.width; ++c) Y(b, i, c) *= factor;
                most = higher;
                for (int j = start; j < stop; ++j) {
                    const double e = std::exp(S(b, i, j) - most);
                    total += e;
                    for (int c = 0; c < V.width; ++c) Y(b, i, c) += e * V(b, j, c);
                }
            }
            for (int c = 0; total > 0 && c < V.width; ++c) Y(b, i, c) /= total;
        }
    return Y;
}
inline Adapter in_blocks(const Blocks& blocks) {
    return of_output(
        [blocks](auto& Q, auto& K, auto& V, auto& mask) { return online(Q, K, V, mask, blocks); });
}

inline std::vector<Answer> wrong_sizes() {
    return {
        {"blocks of keys: the output is not rescaled", in_blocks({.size = 2, .rescales = false})},
        {"blocks of 16 keys: the total is not rescaled",
         in_blocks({.size = 16, .rescales_total = false})},
        {"blocks of 4 keys, the rest left out", in_blocks({.size = 4, .takes_the_rest = false})},
        {"blocks of 32 keys, the rest left out", in_blocks({.size = 32, .takes_the_rest = false})},
        {"blocks of 64 keys, NaN if a whole one is blocked",
         in_blocks({.size = 64, .skips_blocked = false})},
        {"blocks of 256 keys, the rest left out",
         in_blocks({.size = 256, .takes_the_rest = false})},
        {"blocks of 200 keys: the output is not rescaled",
         in_blocks({.size = 200, .rescales = false})},
        {"blocks of 200 keys: the total is not rescaled",
         in_blocks({.size = 200, .rescales_total = false})},
        {"blocks of 256 keys, NaN if a whole one is blocked",
         in_blocks({.size = 256, .skips_blocked = false})},
        {"the maximum of the first 256 keys", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             const Array S = shut(scores_of(Q, K), mask);
             return mixed(by_rows(S,
                                  [](const Row& s) {
                                      const auto end =
                                          s.begin() + std::min<std::ptrdiff_t>(256, std::ssize(s));
                                      const double most = *std::max_element(s.begin(), end);
                                      return most == -infinity ? softmax_of_row(s)
                                                               : exponentials(s, most);
                                  }),
                          V);
         })},
        {"only the first 256 keys", of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             Array S = shut(scores_of(Q, K), mask);
             for (int n = 0; n < static_cast<int>(S.numbers.size()); ++n) {
                 if (n % S.width >= 256) S.numbers[n] = -infinity;
             }
             return softmax(S);
         })},
        {"only the first 256 queries", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array Y = right_output(Q, K, V, mask);
             for (int b = 0; b < Y.batch; ++b)
                 for (int i = 256; i < Y.length; ++i)
                     for (int c = 0; c < Y.width; ++c) Y(b, i, c) = 0;
             return Y;
         })},
        {"only the first 64 queries", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array Y = right_output(Q, K, V, mask);
             for (int b = 0; b < Y.batch; ++b)
                 for (int i = 64; i < Y.length; ++i)
                     for (int c = 0; c < Y.width; ++c) Y(b, i, c) = 0;
             return Y;
         })},
        {"only the first 32 columns of V", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array Y = right_output(Q, K, V, mask);
             for (std::size_t n = 0; n < Y.numbers.size(); ++n) {
                 if (static_cast<int>(n) % Y.width >= 32) Y.numbers[n] = 0;
             }
             return Y;
         })},
        {"at most 8 texts", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array Y = right_output(Q, K, V, mask);
             for (int n = 8 * Y.length * Y.width; n < static_cast<int>(Y.numbers.size()); ++n) {
                 Y.numbers[n] = 0;
             }
             return Y;
         })},
        {"only the first 16 keys", of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             Array S = shut(scores_of(Q, K), mask);
             for (int n = 0; n < static_cast<int>(S.numbers.size()); ++n) {
                 if (n % S.width >= 16) S.numbers[n] = -infinity;
             }
             return softmax(S);
         })},
        {"as many keys as there are queries", of_weights([](auto& Q, auto& K, auto&, auto& mask) {
             Array S = shut(scores_of(Q, K), mask);
             for (int b = 0; b < S.batch; ++b)
                 for (int i = 0; i < S.length; ++i)
                     for (int j = S.length; j < S.width; ++j) S(b, i, j) = -infinity;
             return softmax(S);
         })},
        {"the sequence is cut to its last query's key",
         of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             if (Q.length == 1) return some_rows(V, 0, 1);  // "one word attends to itself"
             return right_output(Q, K, V, mask);
         })},
        {"one key: its value, whatever the mask",
         of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             if (K.length > 1) return right_output(Q, K, V, mask);
             return right_output(Q, K, V, Array());
         })},
        {"only the first text", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array Y(Q.batch, Q.length, V.width);
             const Array first = right_output(text(Q, 0), text(K, 0), text(V, 0), text(mask, 0));
             std::copy(first.numbers.begin(), first.numbers.end(), Y.numbers.begin());
             return Y;
         })},
        {"the keys of the first text for all",
         of_weights([](auto& Q, auto& K, auto& V, auto& mask) {
             return right_weights(Q, first_text_for_all(K), V, mask);
         })},
        {"the values of the first text for all",
         of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             return right_output(Q, K, first_text_for_all(V), mask);
         })},
        {"the values of the next text", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array other = V;
             std::rotate(other.numbers.begin(),
                         other.numbers.begin() + other.numbers.size() / other.batch,
                         other.numbers.end());
             return right_output(Q, K, other, mask);
         })},
        {"only two texts at most", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array Y = right_output(Q, K, V, mask);
             for (int n = 2 * Y.length * Y.width; n < static_cast<int>(Y.numbers.size()); ++n) {
                 Y.numbers[n] = 0;
             }
             return Y;
         })},
    };
}

inline std::vector<Answer> wrong_calls() {
    return {
        {"Q is scaled in place", of_output([](Array& Q, Array& K, Array& V, Array& mask) {
             Q = times(Q, 1 / std::sqrt(Q.width));
             return mixed(softmax(shut(scores_of(Q, K, 1), mask)), V);
         })},
        {"the mask is turned into numbers to add, in place",
         of_output([](Array& Q, Array& K, Array& V, Array& mask) {
             const Array Y = right_output(Q, K, V, mask);
             for (double& x : mask.numbers) x = x == 0 ? -infinity : 0;
             return Y;
         })},
        {"V is weighted in place", of_output([](Array& Q, Array& K, Array& V, Array& mask) {
             const Array Y = right_output(Q, K, V, mask);
             V = times(V, 0.5);
             return Y;
         })},
        {"the keys of the first call of this size",
         [] {
             const auto kept = std::make_shared<Array>();
             return of_output([kept](auto& Q, auto& K, auto& V, auto& mask) {
                 if (kept->numbers.size() != K.numbers.size()) *kept = K;
                 return right_output(Q, *kept, V, mask);
             });
         }()},
        {"what the first call returned is added to the next",
         [] {
             const auto sum = std::make_shared<Array>();
             return of_output([sum](auto& Q, auto& K, auto& V, auto& mask) {
                 const Array Y = right_output(Q, K, V, mask);
                 if (sum->numbers.size() != Y.numbers.size()) *sum = times(Y, 0);
                 for (std::size_t n = 0; n < Y.numbers.size(); ++n) sum->numbers[n] += Y.numbers[n];
                 return *sum;
             });
         }()},
        {"a mask once given is kept",
         [] {
             const auto kept = std::make_shared<Array>();
             return of_weights([kept](auto& Q, auto& K, auto& V, auto& mask) {
                 if (!mask.numbers.empty()) *kept = mask;
                 const bool fits =
                     kept->batch == Q.batch && kept->length == Q.length && kept->width == K.length;
                 return right_weights(Q, K, V, fits ? *kept : mask);
             });
         }()},
        {"dropout is left on",
         [] {
             const auto random = std::make_shared<std::mt19937>(1);
             return of_weights([random](auto& Q, auto& K, auto& V, auto& mask) {
                 Array P = right_weights(Q, K, V, mask);
                 for (double& p : P.numbers) p = (*random)() % 10 == 0 ? 0 : p / 0.9;
                 return P;
             });
         }()},
        {"float, called double", of_output([](auto& Q, auto& K, auto& V, auto& mask) {
             Array Y = right_output(Q, K, V, mask);
             for (double& y : Y.numbers) y = std::round(y * 1e4) / 1e4;
             return Y;
         })},
        {"the returned weights are those without the mask",
         [] {
             Adapter adapter = of_weights(right_weights);
             adapter.weights = [](auto& Q, auto& K, auto&, auto&) {
                 return softmax(scores_of(Q, K));
             };
             return adapter;
         }()},
        {"the returned weights are those of the first text",
         [] {
             Adapter adapter = of_weights(right_weights);
             adapter.weights = [](auto& Q, auto& K, auto& V, auto& mask) {
                 return first_text_for_all(right_weights(Q, K, V, mask));
             };
             return adapter;
         }()},
        {"the returned weights are the mean of all texts",
         [] {
             Adapter adapter = of_weights(right_weights);
             adapter.weights = [](auto& Q, auto& K, auto& V, auto& mask) {
                 const Array P = right_weights(Q, K, V, mask);
                 Array mean = P;
                 const std::size_t size = P.numbers.size() / P.batch;
                 for (std::size_t n = 0; n < P.numbers.size(); ++n) {
                     mean.numbers[n] = 0;
                     for (int b = 0; b < P.batch; ++b) {
                         mean.numbers[n] += P.numbers[b * size + n % size] / P.batch;
                     }
                 }
                 return mean;
             };
             return adapter;
         }()},
        {"the output has rows that the weights do not have",
         [] {
             Adapter adapter = of_weights(right_weights);
             adapter.output = [](auto& Q, auto& K, auto& V, auto& mask) {
                 Array Y = right_output(Q, K, V, mask);
                 for (int b = 0; b < Y.batch; ++b)
                     for (int c = 0; c < Y.width; ++c) Y(b, 0, c) *= 1.25;
                 return Y;
             };
             return adapter;
         }()},
    };
}

}  // namespace passport_answers

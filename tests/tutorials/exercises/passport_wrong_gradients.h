// Right outputs with wrong gradients, for the passport.
#pragma once

#include "passport_wrong_calls.h"

namespace passport_answers {

inline std::vector<Answer> wrong_gradients() {
    return {
        {"the norm is detached", of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             return backward(Q, K, V, mask, G, [](Row P, const Row& dP) {
                 for (std::size_t j = 0; j < P.size(); ++j) P[j] *= dP[j];
                 return P;
             });
         })},
        {"the mean is subtracted, not the weighted sum",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             return backward(Q, K, V, mask, G, [](Row P, const Row& dP) {
                 double mean = 0;
                 for (double d : dP) mean += d / dP.size();
                 for (std::size_t j = 0; j < P.size(); ++j) P[j] *= dP[j] - mean;
                 return P;
             });
         })},
        {"the derivative of a sigmoid",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             return backward(Q, K, V, mask, G, [](Row P, const Row& dP) {
                 for (std::size_t j = 0; j < P.size(); ++j) P[j] = P[j] * (1 - P[j]) * dP[j];
                 return P;
             });
         })},
        {"dK without the scale", of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Gradients found = backward(Q, K, V, mask, G);
             found.dK = times(found.dK, std::sqrt(Q.width));
             return found;
         })},
        {"the scale is that of V", of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Gradients found = backward(Q, K, V, mask, G);
             found.dQ = times(found.dQ, std::sqrt(1.0 * Q.width / V.width));
             found.dK = times(found.dK, std::sqrt(1.0 * Q.width / V.width));
             return found;
         })},
        {"without the mask", of_gradients([](auto& Q, auto& K, auto& V, auto&, auto& G) {
             return backward(Q, K, V, Array(), G);
         })},
        {"an upstream gradient of ones",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Array ones = G;
             for (double& g : ones.numbers) g = 1;
             return backward(Q, K, V, mask, ones);
         })},
        {"the upstream gradient of the first text",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             return backward(Q, K, V, mask, first_text_for_all(G));
         })},
        {"dV of the first text only",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Gradients found = backward(Q, K, V, mask, G);
             for (int n = V.length * V.width; n < static_cast<int>(found.dV.numbers.size()); ++n) {
                 found.dV.numbers[n] = 0;
             }
             return found;
         })},
        {"dK is 0 at the last key",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Gradients found = backward(Q, K, V, mask, G);
             for (int b = 0; b < K.batch; ++b)
                 for (int c = 0; c < K.width; ++c) found.dK(b, K.length - 1, c) = 0;
             return found;
         })},
        {"gradients are not cleared between calls",
         [] {
             const auto kept = std::make_shared<Array>();
             return of_gradients([kept](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
                 Gradients found = backward(Q, K, V, mask, G);
                 if (kept->numbers.size() != found.dV.numbers.size()) *kept = times(found.dV, 0);
                 for (std::size_t n = 0; n < kept->numbers.size(); ++n) {
                     found.dV.numbers[n] = kept->numbers[n] += found.dV.numbers[n];
                 }
                 return found;
             });
         }()},
        {"NaN for queries that see nothing",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Gradients found = backward(Q, K, V, mask, G);
             for (int n = 0; n < mask.batch * mask.length; ++n) {
                 bool blind = true;
                 for (int j = 0; j < mask.width; ++j) {
                     blind = blind && mask.numbers[n * mask.width + j] == 0;
                 }
                 if (blind) found.dQ.numbers[n * Q.width] = std::nan("");
             }
             return found;
         })},
        {"half of dQ where scores are large",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Gradients found = backward(Q, K, V, mask, G);
             for (double s : scores_of(Q, K).numbers) {
                 if (s > 709) found.dQ = times(found.dQ, std::nan(""));  // exp overflows
             }
             return found;
         })},
        {"dQ and dK change places where they can",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Gradients found = backward(Q, K, V, mask, G);
             if (Q.length == K.length) std::swap(found.dQ, found.dK);
             return found;
         })},
        {"where G is 0 it is taken for 1",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Array filled = G;
             for (double& g : filled.numbers) g = g == 0 ? 1 : g;
             return backward(Q, K, V, mask, filled);
         })},
        {"a query whose G begins with 0 is left out",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Array some = G;
             for (int n = 0; n < G.batch * G.length; ++n) {
                 const auto row = some.numbers.begin() + n * G.width;
                 if (*row == 0) std::fill(row, row + G.width, 0);
             }
             return backward(Q, K, V, mask, some);
         })},
        {"G is divided by its size and multiplied again, NaN where it is 0",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             double size = 0;
             for (double g : G.numbers) size += std::fabs(g);
             Gradients found = backward(Q, K, V, mask, times(G, 1 / size));
             return Gradients{times(found.dQ, size), times(found.dK, size), times(found.dV, size)};
         })},
        {"gradients of a tile of 256 keys, and nothing beyond",
         of_gradients([](auto& Q, auto& K, auto& V, auto& mask, auto& G) {
             Gradients found = backward(Q, K, V, mask, G);
             for (int b = 0; b < K.batch; ++b)
                 for (int j = 256; j < K.length; ++j)
                     for (int c = 0; c < V.width; ++c) found.dV(b, j, c) = 0;
             return found;
         })},
        {"G is halved in place",
         of_gradients([](Array& Q, Array& K, Array& V, Array& mask, Array& G) {
             const Gradients found = backward(Q, K, V, mask, G);
             G = times(G, 0.5);
             return found;
         })},
    };
}

}  // namespace passport_answers

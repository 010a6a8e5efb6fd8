#include "scores.h"

#include "../../autograd/ops.h"
#include "../../tensor/errors.h"
#include "../argument_checks.h"
#include "../running.h"
#include "attention_checks.h"

#include <cmath>

namespace heed { inline namespace HEED_PRECISION {
namespace {
void check_lengths(const char* name, const Variable& Q, const Variable& K, std::int64_t d_q,
                   std::int64_t d_k, const CallSite& site) {
    check_scored(name, Q, K, site);
    if (Q.dim(-1) == d_q && K.dim(-1) == d_k) return;
    fail_shape(name, site, "Q has shape ", Q.shape(), " and K ", K.shape(),
               "; the last axis of Q must have length ", d_q, ", that of K ", d_k);
}

constexpr const char* pairs_of = "pairs of a query and a key";

double root_of_d_k(const Variable& K) { return std::sqrt(static_cast<double>(K.dim(-1))); }

void check_width(double width, const CallSite& site) {
    if (!(width > 0 && width <= __DBL_MAX__)) {
        fail_argument("GaussianScore", site, "width is ", width,
                      "; it must be positive and finite");
    }
    if (static_cast<Scalar>(2 * width * width) == 0) {
        fail_argument("GaussianScore", site, "width is ", width,
                      "; it is so small that its square rounds to 0");
    }
}

}  // namespace

Variable DotScore::operator()(const Variable& Q, const Variable& K, CallSite site) const {
    check_features("DotScore", Q, K, site);
    const Running layer(*this, "DotScore", {&Q, &K}, site);
    const Variable scores = matmul(Q, transpose(K));  // [..., T_q, T_k]
    return layer.gives(scores);
}

Variable ScaledDotScore::operator()(const Variable& Q, const Variable& K, CallSite site) const {
    check_features("ScaledDotScore", Q, K, site);
    if (K.dim(-1) == 0) {
        fail_shape("ScaledDotScore", site, "K has shape ", K.shape(), "; d_k must be at least 1");
    }
    const Running layer(*this, "ScaledDotScore", {&Q, &K}, site);
    const Variable scores = matmul(Q, transpose(K)) / root_of_d_k(K);  // [..., T_q, T_k]
    return layer.gives(scores);
}

double ScaledDotScore::scale(const Variable& K) const { return 1 / root_of_d_k(K); }

AdditiveScore::AdditiveScore(std::int64_t d_q, std::int64_t d_k, std::int64_t d_hidden,
                             Random& random, CallSite site)
    : W_q(d_q, d_hidden, random, no_bias, site), W_k(d_k, d_hidden, random, no_bias, site),
      v(d_hidden, 1, random, no_bias, site) {}

Variable AdditiveScore::operator()(const Variable& Q, const Variable& K, CallSite site) const {
    check_parameter("AdditiveScore", "W_q.weight", W_q.weight, 2, site);
    check_parameter("AdditiveScore", "W_k.weight", W_k.weight, 2, site);
    check_linear("AdditiveScore", "W_k", W_k, W_k.weight.dim(1), W_q.weight.dim(0), site);
    check_linear("AdditiveScore", "v", v, W_q.weight.dim(0), 1, site);
    check_lengths("AdditiveScore", Q, K, W_q.weight.dim(1), W_k.weight.dim(1), site);
    check_room("AdditiveScore", Q, K, pairs_of, site);
    const Running layer(*this, "AdditiveScore", {&Q, &K}, site);
    const Variable queries = unsqueeze(W_q(Q), -2);  // [..., T_q, 1, d_hidden]
    const Variable keys = unsqueeze(W_k(K), -3);     // [..., 1, T_k, d_hidden]
    const Variable pairs = v(tanh(queries + keys));  // [..., T_q, T_k, 1]
    const Variable scores = squeeze(pairs, -1);      // [..., T_q, T_k]
    return layer.gives(scores);
}

BilinearScore::BilinearScore(std::int64_t d_q, std::int64_t d_k, Random& random, CallSite site) {
    check_sizes("BilinearScore", {{"d_q", d_q}, {"d_k", d_k}}, site);
    const double bound = 1 / std::sqrt(static_cast<double>(d_k));
    W = Parameter(tensor::uniform(Shape({d_q, d_k}, site), random, -bound, bound, site), "W");
}

Variable BilinearScore::operator()(const Variable& Q, const Variable& K, CallSite site) const {
    check_parameter("BilinearScore", "W", W, 2, site);
    check_lengths("BilinearScore", Q, K, W.dim(0), W.dim(1), site);
    const Running layer(*this, "BilinearScore", {&Q, &K}, site);
    const Variable scores = matmul(matmul(Q, W), transpose(K));  // [..., T_q, T_k]
    return layer.gives(scores);
}

GaussianScore::GaussianScore(double given_width, CallSite site) : width(given_width) {
    check_width(width, site);
}

Variable GaussianScore::operator()(const Variable& Q, const Variable& K, CallSite site) const {
    check_width(width, site);
    check_features("GaussianScore", Q, K, site);
    check_room("GaussianScore", Q, K, pairs_of, site);
    const Running layer(*this, "GaussianScore", {&Q, &K}, site);
    const Variable difference = unsqueeze(Q, -2) - unsqueeze(K, -3);  // [..., T_q, T_k, d_k]
    const Variable distance = sum(difference * difference, -1);       // [..., T_q, T_k]
    const Variable scores = -distance / (2 * width * width);          // [..., T_q, T_k]
    return layer.gives(scores);
}

std::string GaussianScore::details() const { return text("width=", width); }

}}  // namespace heed

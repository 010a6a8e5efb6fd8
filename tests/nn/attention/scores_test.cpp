// Scores against hand-worked numbers, loops in double and their laws; and errors.
#include "nn/heed.h"

#include "tests/catch.h"
#include "tests/message_of.h"

#include <cmath>
#include <functional>

using namespace heed;

namespace {
Tensor drawn(const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    return tensor::normal(shape, random);
}

using Row = std::vector<double>;

Row row(const Tensor& x, std::int64_t i) {
    const std::vector<Scalar> numbers = tensor::select(x, 0, i).to_vector();
    return Row(numbers.begin(), numbers.end());
}

// A score of one query and one key, in double.
using Formula = std::function<double(const Row& q, const Row& k)>;

double dot(const Row& a, const Row& b) {
    double total = 0;
    for (std::size_t c = 0; c < a.size(); ++c) total += a[c] * b[c];
    return total;
}

Formula formula_of(const AdditiveScore& score) {
    return [&score](const Row& q, const Row& k) {
        double total = 0;
        for (std::int64_t n = 0; n < score.v.weight.dim(1); ++n) {
            const double hidden =
                dot(row(score.W_q.weight.value(), n), q) + dot(row(score.W_k.weight.value(), n), k);
            total += static_cast<double>(score.v.weight(0, n)) * std::tanh(hidden);
        }
        return total;
    };
}

Formula formula_of(const BilinearScore& score) {
    return [&score](const Row& q, const Row& k) {
        double total = 0;
        for (std::size_t i = 0; i < q.size(); ++i) {
            total += q[i] * dot(row(score.W.value(), static_cast<std::int64_t>(i)), k);
        }
        return total;
    };
}

Formula gaussian(double width) {
    return [width](const Row& q, const Row& k) {
        double distance = 0;
        for (std::size_t c = 0; c < q.size(); ++c) distance += (q[c] - k[c]) * (q[c] - k[c]);
        return -distance / (2 * width * width);
    };
}

// Q [T_q, d_q] and K [T_k, d_k], pair by pair.
Tensor pair_by_pair(const Formula& formula, const Tensor& Q, const Tensor& K) {
    std::vector<Scalar> scores;
    for (std::int64_t i = 0; i < Q.dim(0); ++i) {
        for (std::int64_t j = 0; j < K.dim(0); ++j) {
            scores.push_back(static_cast<Scalar>(formula(row(Q, i), row(K, j))));
        }
    }
    return tensor::from_vector(scores, {Q.dim(0), K.dim(0)});
}

bool close(const Tensor& a, const Tensor& b) { return tensor::all_close(a, b, 1e-5, 2e-6); }

Tensor scores_of(const Score& score, const Tensor& Q, const Tensor& K) {
    return score(Variable(Q), Variable(K)).value();
}

// The score equals its formula, also with leading axes and with keys that all queries share.
void check(const Score& score, const Formula& formula, std::int64_t d_q, std::int64_t d_k) {
    const Tensor Q = drawn({2, 3, 4, d_q}, 1);
    const Tensor K = drawn({2, 3, 5, d_k}, 2);
    const Tensor all = scores_of(score, Q, K);
    CHECK(all.shape() == Shape{2, 3, 4, 5});
    const Tensor shared = scores_of(score, Q, tensor::select(tensor::select(K, 0, 1), 0, 2));
    bool same = true, right = true, sharing = true;
    for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t h = 0; h < 3; ++h) {
            const auto one = [&](const Tensor& x) {
                return tensor::select(tensor::select(x, 0, b), 0, h);
            };
            right = right && close(one(all), pair_by_pair(formula, one(Q), one(K)));
            same = same && tensor::same_bits(one(all), scores_of(score, one(Q), one(K)));
            const Tensor key = tensor::select(tensor::select(K, 0, 1), 0, 2);
            sharing = sharing && close(one(shared), pair_by_pair(formula, one(Q), key));
        }
    }
    CHECK(right);
    CHECK(same);
    CHECK(sharing);
    CHECK(scores_of(score, drawn({0, d_q}, 1), drawn({5, d_k}, 2)).shape() == Shape{0, 5});
    CHECK(scores_of(score, drawn({4, d_q}, 1), drawn({0, d_k}, 2)).shape() == Shape{4, 0});
    CHECK(scores_of(score, drawn({1, d_q}, 1), drawn({1, d_k}, 2)).shape() == Shape{1, 1});
}

// The error message of each score for shapes that no score takes.
void check_ranks(const std::string& name, const Score& score) {
    const Variable vector(tensor::zeros({3}));
    const Variable matrix(tensor::zeros({4, 3}));
    const std::string rule = " has shape [3]; it must end in two axes, positions and features";
    CHECK(message_of<ShapeError>([&] { score(vector, matrix); }) == name + ": Q" + rule);
    CHECK(message_of<ShapeError>([&] { score(matrix, vector); }) == name + ": K" + rule);
}

std::string refused(const Score& score, const Shape& Q, const Shape& K) {
    return message_of<ShapeError>(
        [&] { score(Variable(tensor::zeros(Q)), Variable(tensor::zeros(K))); });
}

}  // namespace

TEST_CASE("scores worked out by hand", "[nn][scores]") {
    const Tensor Q = tensor::of({{1, 2}, {0, -1}});
    const Tensor K = tensor::of({{3, 1}, {1, 0}, {-2, 2}});
    const Tensor products = tensor::of({{5, 1, 2}, {-1, 0, -2}});
    CHECK(tensor::same_bits(scores_of(DotScore(), Q, K), products));
    CHECK(close(scores_of(ScaledDotScore(), Q, K), products / std::sqrt(2.0)));
    // ‖q - k‖²: (1-3)² + (2-1)² = 5, ...
    const Tensor distances = tensor::of({{5, 4, 9}, {13, 2, 13}});
    CHECK(close(scores_of(GaussianScore(), Q, K), distances / -2.0));
    CHECK(close(scores_of(GaussianScore(2), Q, K), distances / -8.0));
    CHECK(close(scores_of(GaussianScore(0.5), Q, K), distances * -2.0));

    Random random(1);
    BilinearScore bilinear(2, 2, random);
    load_state_dict(bilinear, [] {
        StateDict state;
        state.add("W", tensor::of({{1, 2}, {0, 3}}));
        return state;
    }());
    // q·W = (1, 8) and (0, -3).
    CHECK(tensor::same_bits(scores_of(bilinear, Q, K), tensor::of({{11, 1, 14}, {-3, 0, -6}})));
}

TEST_CASE("each score is its formula, pair by pair", "[nn][scores]") {
    Random random(3);
    const AdditiveScore additive(3, 2, 4, random);
    const BilinearScore bilinear(3, 2, random);
    check(DotScore(), dot, 3, 3);
    check(
        ScaledDotScore(), [](const Row& q, const Row& k) { return dot(q, k) / std::sqrt(3.0); }, 3,
        3);
    check(additive, formula_of(additive), 3, 2);
    check(bilinear, formula_of(bilinear), 3, 2);
    check(GaussianScore(1.5), gaussian(1.5), 3, 3);
    check(GaussianScore(), gaussian(1), 1, 1);
}

TEST_CASE("laws of the scores", "[nn][scores]") {
    const Tensor Q = drawn({4, 3}, 4);
    const Tensor K = drawn({5, 3}, 5);
    const Tensor shift = drawn({3}, 6);
    // A Gaussian sees differences only, is largest at q = k, and is symmetric.
    const Tensor plain = scores_of(GaussianScore(), Q, K);
    CHECK(close(scores_of(GaussianScore(), Q + shift, K + shift), plain));
    CHECK(close(scores_of(GaussianScore(), K, Q), tensor::transpose(plain)));
    CHECK(tensor::max(plain).item() < 0);
    const Tensor own = scores_of(GaussianScore(), Q, Q);
    for (std::int64_t i = 0; i < 4; ++i) CHECK(own(i, i) == 0);
    // tanh keeps an additive score within the sum of |v|, however long the vectors.
    Random random(7);
    const AdditiveScore additive(3, 3, 8, random);
    const double bound =
        static_cast<double>(tensor::sum(tensor::abs(additive.v.weight.value())).item());
    const Tensor large = scores_of(additive, Q * 1e4, K * 1e4);
    CHECK(static_cast<double>(tensor::max(tensor::abs(large)).item()) <= bound * (1 + 1e-6));
    // With the identity as W, a bilinear score is a dot product.
    BilinearScore bilinear(3, 3, random);
    StateDict identity;
    identity.add("W", tensor::eye(3));
    load_state_dict(bilinear, identity);
    CHECK(tensor::same_bits(scores_of(bilinear, Q, K), scores_of(DotScore(), Q, K)));
}

TEST_CASE("a bilinear score is drawn for the length of its keys", "[nn][scores]") {
    Random random(9);
    const BilinearScore score(400, 16, random);
    CHECK(score.W.value().shape() == Shape{400, 16});
    CHECK(static_cast<double>(tensor::max(tensor::abs(score.W.value())).item()) ==
          Approx(0.25).epsilon(0.01));
}

TEST_CASE("a score reports its scale, its parameters and its width", "[nn][scores]") {
    const Variable K(tensor::zeros({5, 4}));
    CHECK(ScaledDotScore().scale(K) == 0.5);
    CHECK(DotScore().scale(K) == 1);
    CHECK(GaussianScore(2).scale(K) == 1);
    CHECK(GaussianScore(0.25).details() == "width=0.25");
    Random random(8);
    AdditiveScore additive(3, 2, 4, random);
    CHECK(count_parameters(additive) == 4 * 3 + 4 * 2 + 4);
    CHECK(parameters(additive)[0].name == "W_q.weight");
    CHECK(parameters(additive)[1].name == "W_k.weight");
    CHECK(parameters(additive)[2].name == "v.weight");
    const BilinearScore bilinear(30, 25, random);
    CHECK(count_parameters(bilinear) == 750);
    CHECK(tensor::max(tensor::abs(bilinear.W.value())).item() <= Scalar(0.2));
    CHECK(tensor::max(bilinear.W.value()).item() > Scalar(0.15));
    CHECK(tensor::min(bilinear.W.value()).item() < Scalar(-0.15));
}

TEST_CASE("a score trains", "[nn][scores]") {
    Random random(9);
    AdditiveScore additive(3, 2, 4, random);
    const Variable Q(drawn({4, 3}, 10));
    const Variable K(drawn({5, 2}, 11));
    const Variable V(drawn({5, 3}, 12));
    attend(additive, Q, K, V).output.backward({.upstream = drawn({4, 3}, 13)});
    for (const NamedParameter& named : parameters(additive)) {
        INFO(named.name);
        CHECK(tensor::max(tensor::abs(named.parameter.grad())).item() > Scalar(1e-4));
    }
}

TEST_CASE("what scores refuse", "[nn][scores]") {
    Random random(14);
    const AdditiveScore additive(3, 2, 4, random);
    const BilinearScore bilinear(3, 2, random);
    check_ranks("DotScore", DotScore());
    check_ranks("ScaledDotScore", ScaledDotScore());
    check_ranks("GaussianScore", GaussianScore());
    check_ranks("AdditiveScore", additive);
    check_ranks("BilinearScore", bilinear);
    const std::string features = ": Q has shape [4, 3] and K [5, 2]; their last axes must both be "
                                 "d_k, since each query is compared with each key";
    CHECK(refused(DotScore(), {4, 3}, {5, 2}) == "DotScore" + features);
    CHECK(refused(ScaledDotScore(), {4, 3}, {5, 2}) == "ScaledDotScore" + features);
    CHECK(refused(GaussianScore(), {4, 3}, {5, 2}) == "GaussianScore" + features);
    CHECK(refused(ScaledDotScore(), {4, 0}, {5, 0}) ==
          "ScaledDotScore: K has shape [5, 0]; d_k must be at least 1");
    const std::string sizes = "; the last axis of Q must have length 3, that of K 2";
    CHECK(refused(additive, {4, 2}, {5, 2}) ==
          "AdditiveScore: Q has shape [4, 2] and K [5, 2]" + sizes);
    CHECK(refused(bilinear, {4, 3}, {5, 3}) ==
          "BilinearScore: Q has shape [4, 3] and K [5, 3]" + sizes);

    const auto width = [](double wrong) {
        return message_of<std::invalid_argument>([&] { GaussianScore score(wrong); });
    };
    CHECK(width(0) == "GaussianScore: width is 0; it must be positive and finite");
    CHECK(width(-1) == "GaussianScore: width is -1; it must be positive and finite");
    CHECK_THAT(width(infinity), Contains("width is inf; it must be"));
    CHECK_THAT(width(std::nan("")), Contains("nan; it must be"));
    CHECK(width(1e-200) ==
          "GaussianScore: width is 1e-200; it is so small that its square rounds to 0");
    const bool in_float = sizeof(Scalar) == 4;  // of which 1e-60 is too small to be one
    CHECK((width(1e-30) == "nothing was thrown") == !in_float);
    CHECK(message_of<std::invalid_argument>([&] { BilinearScore(0, 2, random); }) ==
          "BilinearScore: d_q is 0 and d_k is 2; both must be at least 1");
    CHECK(message_of<std::invalid_argument>([&] { BilinearScore(3, -1, random); }) ==
          "BilinearScore: d_q is 3 and d_k is -1; both must be at least 1");
    CHECK_THAT(message_of<std::invalid_argument>([&] { AdditiveScore(3, 2, 0, random); }),
               Contains("must be at least 1"));
}

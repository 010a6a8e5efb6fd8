// Answers to 07.3.
#include "tests/tutorials/exercises/answers/answers.h"
#include "tutorials/exercises/judges/lesson_07.h"

#include "tensor/ops.h"

#include <cmath>

using namespace heed;
using namespace exercise;

namespace {
Tensor scores_of(const Tensor& Q, const Tensor& K) { return tensor::sum(Q * K, -1); }  // [N]

double root_of_d_k(const Tensor& Q) { return std::sqrt(static_cast<double>(Q.dim(-1))); }

SpreadOfScores spread(const Tensor& scores, double divisor) {
    return {tensor::mean(scores).item(), tensor::var(scores).item(),
            tensor::var(scores / divisor).item()};
}

SpreadOfScores correct(const Tensor& Q, const Tensor& K) {
    return spread(scores_of(Q, K), root_of_d_k(Q));
}

SpreadOfScores all_pairs(const Tensor& Q, const Tensor& K) {
    return spread(tensor::matmul(Q, tensor::transpose(K)), root_of_d_k(Q));
}

SpreadOfScores divided_by_N(const Tensor& Q, const Tensor& K) {
    const Tensor scores = scores_of(Q, K);
    return {tensor::mean(scores).item(), tensor::var(scores, {0}, 0).item(),
            tensor::var(scores / root_of_d_k(Q), {0}, 0).item()};
}

double one_pass_variance(const Tensor& x) {
    const double N = static_cast<double>(x.numel());
    const double mean = tensor::mean(x).item();
    return (tensor::mean(x * x).item() - mean * mean) * N / (N - 1);
}

// Wrong where the mean is large.
SpreadOfScores in_one_pass(const Tensor& Q, const Tensor& K) {
    const Tensor scores = scores_of(Q, K);
    return {tensor::mean(scores).item(), one_pass_variance(scores),
            one_pass_variance(scores / root_of_d_k(Q))};
}

double variance_about_0(const Tensor& x) {
    return tensor::sum(x * x).item() / static_cast<double>(x.numel() - 1);
}

SpreadOfScores about_0(const Tensor& Q, const Tensor& K) {
    const Tensor scores = scores_of(Q, K);
    return {tensor::mean(scores).item(), variance_about_0(scores),
            variance_about_0(scores / root_of_d_k(Q))};
}

SpreadOfScores variance_over_the_root(const Tensor& Q, const Tensor& K) {
    SpreadOfScores s = correct(Q, K);
    s.scaled_variance = s.variance / root_of_d_k(Q);
    return s;
}

SpreadOfScores mean_by_theory(const Tensor& Q, const Tensor& K) {
    SpreadOfScores s = correct(Q, K);
    s.mean = 0;
    return s;
}

SpreadOfScores scaled_variance_by_theory(const Tensor& Q, const Tensor& K) {
    SpreadOfScores s = correct(Q, K);
    s.scaled_variance = 1;
    return s;
}

// As if the d_k products of a score were independent.
SpreadOfScores variance_of_the_products(const Tensor& Q, const Tensor& K) {
    const double d_k = static_cast<double>(Q.dim(-1));
    SpreadOfScores s = correct(Q, K);
    s.variance = tensor::var(Q * K).item() * d_k;
    s.scaled_variance = s.variance / d_k;
    return s;
}

SpreadOfScores root_of_N(const Tensor& Q, const Tensor& K) {
    return spread(scores_of(Q, K), std::sqrt(static_cast<double>(Q.dim(0))));
}

SpreadOfScores root_of_64(const Tensor& Q, const Tensor& K) { return spread(scores_of(Q, K), 8); }

// Wrong where d_k is not a square.
SpreadOfScores whole_root(const Tensor& Q, const Tensor& K) {
    const std::int64_t root = static_cast<std::int64_t>(root_of_d_k(Q));
    return spread(scores_of(Q, K), static_cast<double>(root));
}

SpreadOfScores deviations(const Tensor& Q, const Tensor& K) {
    const SpreadOfScores s = correct(Q, K);
    return {s.mean, std::sqrt(s.variance), std::sqrt(s.scaled_variance)};
}

SpreadOfScores mean_of_the_products(const Tensor& Q, const Tensor& K) {
    SpreadOfScores s = correct(Q, K);
    s.mean = tensor::mean(Q * K).item();
    return s;
}

SpreadOfScores both_scaled(const Tensor& Q, const Tensor& K) {
    SpreadOfScores s = correct(Q, K);
    const double root = root_of_d_k(Q);
    s.scaled_variance = tensor::var(scores_of(Q / root, K / root)).item();
    return s;
}

// All numbers are right, but Q is not what it was.
SpreadOfScores queries_scaled_in_place(const Tensor& Q, const Tensor& K) {
    SpreadOfScores s = correct(Q, K);
    Tensor scaled = Q;
    tensor::overwrite(scaled, Q / root_of_d_k(Q));
    s.scaled_variance = tensor::var(scores_of(scaled, K)).item();
    return s;
}

SpreadOfScores first_thousand_pairs(const Tensor& Q, const Tensor& K) {
    return correct(tensor::slice(Q, 0, 0, 1000), tensor::slice(K, 0, 0, 1000));
}

// Wrong where N is larger than d_k.
SpreadOfScores as_many_pairs_as_features(const Tensor& Q, const Tensor& K) {
    return correct(tensor::slice(Q, 0, 0, Q.dim(1)), tensor::slice(K, 0, 0, K.dim(1)));
}

SpreadOfScores pairs_of_its_own(const Tensor& Q, const Tensor& K) {
    Random random(7);
    const Tensor own_Q = tensor::normal(Q.shape(), random);
    return correct(own_Q, tensor::normal(K.shape(), random));
}

// Wrong where the mean is large: a float has seven digits.
SpreadOfScores scores_in_float(const Tensor& Q, const Tensor& K) {
    std::vector<Scalar> rounded = scores_of(Q, K).to_vector();
    for (Scalar& score : rounded) score = static_cast<float>(score);
    return spread(tensor::from_vector(rounded, {Q.dim(0)}), root_of_d_k(Q));
}

SpreadOfScores of_absolute_scores(const Tensor& Q, const Tensor& K) {
    SpreadOfScores s = correct(Q, K);
    s.mean = std::fabs(s.mean);
    return s;
}

// A key too far: query n meets key n + 1.
SpreadOfScores with_the_next_key(const Tensor& Q, const Tensor& K) {
    const Tensor next = tensor::concatenate({tensor::slice(K, 0, 1), tensor::slice(K, 0, 0, 1)}, 0);
    return correct(Q, next);
}

// The columns of a view are not the columns of its storage.
SpreadOfScores numbers_by_storage(const Tensor& Q, const Tensor& K) {
    const auto by_storage = [](const Tensor& x) {
        if (x.is_contiguous()) return x;
        return tensor::reshape(tensor::clone(tensor::transpose(x)), Dims(x.shape()));
    };
    return correct(by_storage(Q), by_storage(K));
}

// √d_k where d_k is the size of the first call.
SpreadOfScores root_of_the_first_call(const Tensor& Q, const Tensor& K) {
    static const double root = root_of_d_k(Q);
    return spread(scores_of(Q, K), root);
}

SpreadOfScores centred_in_place(const Tensor& Q, const Tensor& K) {
    const SpreadOfScores s = correct(Q, K);
    Tensor place = K;
    tensor::overwrite(place, K - tensor::mean(K));
    return s;
}

// Right.

SpreadOfScores in_a_running_way(const Tensor& Q, const Tensor& K) {
    const std::vector<Scalar> scores = tensor::einsum("nd,nd->n", Q, K).to_vector();
    double mean = 0, squares = 0, count = 0;
    for (const double score : scores) {
        count += 1;
        const double step = score - mean;
        mean += step / count;
        squares += step * (score - mean);
    }
    const double variance = squares / (count - 1);
    return {mean, variance, variance / static_cast<double>(Q.dim(-1))};
}

SpreadOfScores rows_times_columns(const Tensor& Q, const Tensor& K) {
    const Tensor rows = tensor::unsqueeze(Q, 1), columns = tensor::unsqueeze(K, -1);
    return spread(tensor::matmul(rows, columns), root_of_d_k(Q));  // of [N, 1, 1]
}

SpreadOfScores keys_scaled(const Tensor& Q, const Tensor& K) {
    SpreadOfScores s = correct(Q, K);
    s.scaled_variance = tensor::var(scores_of(Q, K / root_of_d_k(K))).item();
    return s;
}

SpreadOfScores with_variance(const Tensor& Q, const Tensor& scores, double variance) {
    return {tensor::mean(scores).item(), variance, variance / static_cast<double>(Q.dim(1))};
}

// Half the mean squared step from one score to the next.
SpreadOfScores from_score_to_score(const Tensor& Q, const Tensor& K) {
    const Tensor s = scores_of(Q, K);
    const Tensor step = tensor::slice(s, 0, 1) - tensor::slice(s, 0, 0, -1);
    return with_variance(Q, s, tensor::mean(step * step).item() / 2);
}

SpreadOfScores mean_in_float(const Tensor& Q, const Tensor& K) {
    const Tensor s = scores_of(Q, K);
    const Tensor apart = s - static_cast<double>(static_cast<float>(tensor::mean(s).item()));
    return with_variance(Q, s,
                         tensor::sum(apart * apart).item() / static_cast<double>(s.numel() - 1));
}

SpreadOfScores an_even_number_of_pairs(const Tensor& Q, const Tensor& K) {
    const Tensor all = scores_of(Q, K);
    return spread(tensor::slice(all, 0, 0, all.dim(0) - all.dim(0) % 2), root_of_d_k(Q));
}

// With what earlier calls have counted.
SpreadOfScores counting_on(const Tensor& Q, const Tensor& K) {
    static double n = 0, mean = 0, squares = 0;
    for (const Scalar s : scores_of(Q, K).to_vector()) {
        const double apart = s - mean;
        mean += apart / ++n;
        squares += apart * (s - mean);
    }
    const double variance = squares / (n - 1);
    return {mean, variance, variance / static_cast<double>(Q.dim(1))};
}

SpreadOfScores scaled_about_0(const Tensor& Q, const Tensor& K) {
    SpreadOfScores all = spread(scores_of(Q, K), root_of_d_k(Q));
    const Tensor scaled = scores_of(Q, K) / root_of_d_k(Q);
    all.scaled_variance =
        tensor::sum(scaled * scaled).item() / static_cast<double>(scaled.numel() - 1);
    return all;
}

SpreadOfScores scaled_by_the_variances(const Tensor& Q, const Tensor& K) {
    SpreadOfScores all = spread(scores_of(Q, K), root_of_d_k(Q));
    all.scaled_variance /= tensor::var(Q).item() * tensor::var(K).item();
    return all;
}

SpreadOfScores thousand_numbers_at_most(const Tensor& Q, const Tensor& K) {
    const Tensor s = scores_of(tensor::slice(Q, 1, 0, 1000), tensor::slice(K, 1, 0, 1000));
    return spread(s, root_of_d_k(Q));
}

SpreadOfScores keys_less_their_mean(const Tensor& Q, const Tensor& K) {
    return spread(scores_of(Q, K - tensor::mean(K)), root_of_d_k(Q));
}

SpreadOfScores scores_but_0(const Tensor& Q, const Tensor& K) {
    std::vector<Scalar> kept;
    for (const Scalar s : scores_of(Q, K).to_vector()) {
        if (s != 0) kept.push_back(s);
    }
    const Shape shape = {static_cast<std::int64_t>(kept.size())};
    return spread(tensor::from_vector(kept, shape), root_of_d_k(Q));
}

// NaN if all scores are the same.
SpreadOfScores in_units_of_the_deviation(const Tensor& Q, const Tensor& K) {
    const Tensor s = scores_of(Q, K);
    const double mean = tensor::mean(s).item(), unit = std::sqrt(tensor::var(s).item());
    const double variance = tensor::var((s - mean) / unit).item() * unit * unit;
    return with_variance(Q, s, variance);
}

// Half of the mean squared distance of two scores.
SpreadOfScores by_distances(const Tensor& Q, const Tensor& K) {
    const Tensor s = scores_of(Q, K);
    const Tensor apart = s - tensor::unsqueeze(s, 1);  // [N, N]
    const double n = static_cast<double>(s.numel());
    return with_variance(Q, s, tensor::sum(apart * apart).item() / (2 * n * (n - 1)));
}

// As if a pair's products were independent in these numbers, too.
SpreadOfScores variances_added(const Tensor& Q, const Tensor& K) {
    const double variance = tensor::sum(tensor::var(Q * K, 0)).item();
    SpreadOfScores its = correct(Q, K);
    its.variance = variance;
    its.scaled_variance = variance / static_cast<double>(Q.dim(1));
    return its;
}

SpreadOfScores product_of_means(const Tensor& Q, const Tensor& K) {
    SpreadOfScores its = correct(Q, K);
    its.mean = tensor::sum(tensor::mean(Q, 0) * tensor::mean(K, 0)).item();
    return its;
}

Answer answer(const char* what, const MeasureSpread& measure,
              const std::vector<std::string>& names = {}) {
    return {what, [measure] { return judge_07_3(measure); }, names};
}

SpreadOfScores diagonal_of_all_products(const Tensor& Q, const Tensor& K) {
    const Tensor all = tensor::matmul(Q, tensor::transpose(K));
    const Tensor products = tensor::sum(all * tensor::eye(Q.dim(0)), -1);
    const double variance = tensor::var(products).item();
    return {tensor::mean(products).item(), variance, variance / static_cast<double>(Q.dim(1))};
}

}  // namespace

Answers answers_07_3() {
    Answers answers;
    answers.number = "07.3";
    answers.slipping = slipping(judge_07_3);
    answers.wrong = {
        answer("every query with every key", all_pairs, {"var.all-pairs"}),
        answer("divided by N", divided_by_N, {"red.mean-n"}),
        answer("E[x²] - E[x]²", in_one_pass),
        answer("the variance about 0", about_0),
        answer("the variance divided by √d_k", variance_over_the_root, {"var.scaled-itself"}),
        answer("the mean is 0 by theory", mean_by_theory),
        answer("the scaled variance is 1 by theory", scaled_variance_by_theory),
        answer("d_k times the variance of the products", variance_of_the_products),
        answer("the root of N", root_of_N, {"att.scale-T"}),
        answer("the root of 64", root_of_64),
        answer("a whole number for √d_k", whole_root),
        answer("standard deviations", deviations, {"var.std"}),
        answer("the mean of the products", mean_of_the_products),
        answer("queries and keys both divided by √d_k", both_scaled, {"att.scale-dk"}),
        answer("Q is scaled in place", queries_scaled_in_place),
        answer("only the first 1000 pairs", first_thousand_pairs),
        answer("only the first d_k pairs", as_many_pairs_as_features),
        answer("measured on random pairs of its own", pairs_of_its_own),
        answer("scores rounded to float", scores_in_float),
        answer("the absolute value of the mean", of_absolute_scores),
        answer("each query meets the next key", with_the_next_key),
        answer("numbers of a view in the order of its storage", numbers_by_storage),
        answer("√d_k of the first call", root_of_the_first_call),
        answer("K is centred in place", centred_in_place),
        answer("from each score to the next", from_score_to_score),
        answer("the mean rounded to float", mean_in_float),
        answer("an odd pair is left out", an_even_number_of_pairs),
        answer("earlier calls count, too", counting_on),
        answer("the scaled variance about 0", scaled_about_0),
        answer("scaled by the variances of q and k", scaled_by_the_variances),
        answer("a thousand numbers at most", thousand_numbers_at_most),
        answer("keys less their mean", keys_less_their_mean),
        answer("scores of 0 are left out", scores_but_0),
        answer("in units of the deviation, which may be 0", in_units_of_the_deviation),
        answer("the variances of the d_k products are added", variances_added),
        answer("the mean is the product of the means", product_of_means),
    };
    answers.right = {
        answer("a running mean and variance", in_a_running_way),
        answer("products of rows and columns", rows_times_columns),
        answer("the keys scaled before the product", keys_scaled),
        answer("by the distances of two scores", by_distances),
        answer("the diagonal of all products, scaled afterwards", diagonal_of_all_products),
    };
    return answers;
}

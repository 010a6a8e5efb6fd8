#include "tutorials/exercises/judges/11_2_nothing_to_find_walk.h"

#include "tensor/factories.h"
#include "tensor/ops.h"
#include "tensor/views.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace heed;

namespace exercise {

namespace {

// One list: which items match, and its weights and outputs with a place to rest and without.
struct Measured {
    std::vector<bool> matches;
    double rest = 0;                   // the weight on the zero key
    std::vector<double> output, with;  // without a zero key, and with it
};

double score_of(bool matches, double sharpness, const Slips& slip) {
    if (slip("sink.no-half")) return matches ? sharpness : 0;
    return sharpness * (matches ? 0.5 : -0.5);
}

double score_at_rest(double sharpness, const Slips& slip) {
    if (slip("sink.rest-as-found")) return score_of(true, sharpness, slip);
    return 0;
}

std::vector<double> softmax_of(const std::vector<double>& scores) {
    const Tensor row = tensor::from_vector(std::vector<Scalar>(scores.begin(), scores.end()),
                                           {static_cast<std::int64_t>(scores.size())});
    const std::vector<Scalar> weights = tensor::softmax(row, -1).to_vector();
    return {weights.begin(), weights.end()};
}

std::vector<double> weighted_sum(const std::vector<double>& weights, const Tensor& values) {
    std::vector<double> sum(static_cast<std::size_t>(values.dim(1)), 0);
    for (std::int64_t j = 0; j < values.dim(0); ++j) {
        for (std::size_t c = 0; c < sum.size(); ++c) {
            const double value = values(j, static_cast<std::int64_t>(c));
            sum[c] += weights[static_cast<std::size_t>(j)] * value;
        }
    }
    return sum;
}

double weight_measured(const std::vector<double>& weights, const Slips& slip) {
    if (slip("sink.other-place")) return weights.front();
    if (slip("sink.last-item")) return weights[weights.size() - 2];
    if (slip("sink.the-others")) return 1 - weights.back();
    return weights.back();
}

Measured measured(const Lists& lists, std::int64_t b, double sharpness, const Slips& slip) {
    const std::int64_t n = lists.values.dim(1), M = lists.asked.dim(1);
    if (slip("sink.scaled")) sharpness /= std::sqrt(static_cast<double>(M));
    Measured of;
    std::vector<double> scores;
    for (std::int64_t j = 0; j < n; ++j) {
        double product = 0;
        for (std::int64_t m = 0; m < M; ++m) product += lists.asked(b, m) * lists.markers(b, j, m);
        of.matches.push_back(product > 0.5);
        scores.push_back(score_of(product > 0.5, sharpness, slip));
    }
    const Tensor values = tensor::select(lists.values, 0, b);  // [n, d_v]
    of.output = weighted_sum(softmax_of(scores), values);
    scores.push_back(score_at_rest(sharpness, slip));
    const std::vector<double> weights = softmax_of(scores);
    of.rest = weight_measured(weights, slip);
    of.with = slip("sink.renormalised") ? of.output : weighted_sum(weights, values);
    return of;
}

bool found(const Measured& of, const Slips& slip) {
    const auto count = std::count(of.matches.begin(), of.matches.end(), true);
    if (slip("sink.first-item-decides")) return of.matches[0];
    return slip("sink.one-match") ? count == 1 : count > 0;
}

double norm(const std::vector<double>& x, const Slips& slip) {
    double squares = 0;
    for (const double entry : x) squares += entry * entry;
    if (slip("sink.squared")) return squares;
    return std::sqrt(slip("sink.rms") ? squares / static_cast<double>(x.size()) : squares);
}

// A mean over some of the lists.
class Mean {
  public:
    explicit Mean(const Slips& slip) : slip_(slip) {}

    void add(bool chosen, double x) {
        ++lists_;
        if (!chosen && !slip_("sink.all-lists")) return;
        ++count_;
        sum_ += x;
    }
    double value() const {
        const double by = slip_("sink.divided-by-B") ? lists_ : count_;
        return count_ == 0 ? 0 : sum_ / by;
    }

  private:
    Slips slip_;
    double sum_ = 0, count_ = 0, lists_ = 0;
};

// The mean norm of what was added, or the norm of the mean.
class MeanNorm {
  public:
    MeanNorm(std::size_t d_v, const Slips& slip) : slip_(slip), of_norms_(slip) {
        for (std::size_t c = 0; c < d_v; ++c) of_entries_.emplace_back(slip);
    }
    void add(bool chosen, const std::vector<double>& x) {
        of_norms_.add(chosen, norm(x, slip_));
        for (std::size_t c = 0; c < x.size(); ++c) of_entries_[c].add(chosen, x[c]);
    }
    double value() const {
        if (!slip_("sink.norm-of-mean")) return of_norms_.value();
        std::vector<double> mean;
        for (const Mean& entry : of_entries_) mean.push_back(entry.value());
        return norm(mean, slip_);
    }

  private:
    Slips slip_;
    Mean of_norms_;
    std::vector<Mean> of_entries_;
};

}  // namespace

Rest rest_walk(const Lists& lists, const Slips& slip) {
    Rest rest;
    for (const double given : lists.sharpness) {
        const double sharpness = slip("sink.one-sharpness") ? lists.sharpness[0] : given;
        const auto d_v = static_cast<std::size_t>(lists.values.dim(2));
        Mean if_found(slip), if_none(slip);
        MeanNorm noise(d_v, slip), with_rest(d_v, slip);
        for (std::int64_t b = 0; b < lists.values.dim(0); ++b) {
            const Measured of = measured(lists, b, sharpness, slip);
            const bool is_found = found(of, slip) != slip("sink.swapped");
            const bool is_noise = is_found == slip("sink.noise-if-found");
            if_found.add(is_found, of.rest);
            if_none.add(!is_found, of.rest);
            noise.add(is_noise, of.output);
            with_rest.add(is_noise, of.with);
        }
        rest.rest_if_found.push_back(if_found.value());
        rest.rest_if_none.push_back(if_none.value());
        rest.noise.push_back(noise.value());
        rest.noise_with_rest.push_back(with_rest.value());
    }
    if (slip("sink.noise-exchanged")) std::swap(rest.noise, rest.noise_with_rest);
    if (slip("sink.rest-exchanged")) std::swap(rest.rest_if_found, rest.rest_if_none);
    return rest;
}

}  // namespace exercise

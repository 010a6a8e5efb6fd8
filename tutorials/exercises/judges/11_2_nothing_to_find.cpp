#include "tutorials/exercises/judges/11_2_nothing_to_find.h"

#include "tutorials/exercises/judging/inputs.h"

#include "heed/tensor/index_tensor.h"
#include "heed/tensor/ops.h"
#include "heed/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
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

Rest walk(const Lists& lists, const Slips& slip) {
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
    return rest;
}

Tensor as_tensor(const std::vector<double>& x) {
    return tensor::from_vector(std::vector<Scalar>(x.begin(), x.end()),
                               {static_cast<std::int64_t>(x.size())});
}

Stages stages(const Rest& rest) {
    return {{"rest_if_found", as_tensor(rest.rest_if_found)},
            {"rest_if_none", as_tensor(rest.rest_if_none)},
            {"noise", as_tensor(rest.noise)},
            {"noise_with_rest", as_tensor(rest.noise_with_rest)}};
}

// The marker asked for, and then those of the items, for each list.
Lists lists_of(const std::vector<std::vector<std::int64_t>>& markers, std::int64_t M,
               std::int64_t d_v, const std::vector<double>& sharpness, std::uint64_t seed) {
    const auto B = static_cast<std::int64_t>(markers.size());
    const auto n = static_cast<std::int64_t>(markers[0].size()) - 1;
    std::vector<std::int64_t> asked, of_items;
    for (const std::vector<std::int64_t>& list : markers) {
        asked.push_back(list[0]);
        of_items.insert(of_items.end(), list.begin() + 1, list.end());
    }
    return {tensor::one_hot(IndexTensor(asked), M),
            tensor::one_hot(IndexTensor(of_items, {B, n}), M), random({B, n, d_v}, seed),
            sharpness};
}

Lists random_lists(std::int64_t B, std::int64_t n, std::int64_t M, std::int64_t d_v,
                   const std::vector<double>& sharpness, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::vector<std::int64_t>> markers;
    for (std::int64_t b = 0; b < B; ++b) {
        std::vector<std::int64_t> list;
        for (std::int64_t j = 0; j <= n; ++j) list.push_back(random.below(M));
        markers.push_back(list);
    }
    return lists_of(markers, M, d_v, sharpness, seed + 1);
}

// The same numbers in memory of another order.
Lists as_views(const Lists& lists) {
    const auto turned = [](const Tensor& x) {
        return tensor::transpose(tensor::contiguous(tensor::transpose(x)));
    };
    return {turned(lists.asked), turned(lists.markers), turned(lists.values), lists.sharpness};
}

Case on(const std::string& name, const Lists& lists, const MeasureRest& measure) {
    return {name,
            [=](const Slips& slip) { return stages(walk(lists, slip)); },
            [=] { return stages(measure(lists)); },
            {{"asked", lists.asked}, {"markers", lists.markers}, {"values", lists.values}}};
}

}  // namespace

Exercise nothing_to_find(const MeasureRest& measure) {
    Exercise exercise;
    exercise.number = "11.2";
    exercise.title = "What a head does with nothing";
    const std::vector<double> few = {4, 0, 1};
    exercise.cases = {
        on("4 lists of 3 items",
           lists_of({{0, 1, 0, 2}, {3, 4, 0, 1}, {2, 2, 3, 2}, {1, 3, 4, 0}}, 5, 2, few, 1),
           measure),
        on("30 lists of 4 items", random_lists(30, 4, 8, 3, {2, 8, 0.5}, 2), measure),
        on("lists that all have a match", lists_of({{0, 0, 1}, {1, 2, 1}, {2, 2, 2}}, 3, 4, few, 3),
           measure),
        on("lists without a match", lists_of({{0, 1, 2}, {1, 2, 0}}, 3, 5, few, 4), measure),
        on("one list of one item", lists_of({{1, 1}}, 2, 3, few, 5), measure),
        on("very sharp", random_lists(9, 3, 4, 3, {3000, 20}, 6), measure),
        on("all sizes 4", random_lists(4, 4, 4, 4, {3}, 7), measure),
        on("lists that are views", as_views(random_lists(6, 3, 4, 2, {3, 5}, 8)), measure),
        on("20 lists of 60 items", random_lists(20, 60, 50, 3, {6, 2}, 9), measure),
        on("4 other lists of 3 items", random_lists(4, 3, 5, 2, {7, 1, 2}, 10), measure),
    };
    exercise.mistakes = nothing_to_find_mistakes();
    exercise.hints = {
        "Which score has an item that does not match, and which the zero key?",
        "Lesson 11.6 has the zero key as one more column; tensor::concatenate and tensor::select",
        "The row of scores is sharpness·(match - 1/2) for each item, and then a 0; the weight at "
        "rest is the last entry of its softmax; a mean over some lists is Σ chosen·x / Σ chosen",
        "match = squeeze(matmul(markers, unsqueeze(asked, -1)), -1) is [B, n]; found = max(match, "
        "-1); the scores with rest are concatenate({scores, zeros [B, 1]}, 1)"};
    exercise.cause_of_nan = "a mean over no lists, 0/0";
    return exercise;
}

void show(const MeasureRest& measure) {
    const std::vector<double> sharpness = {0, 1, 2, 4, 8, 16};
    const Rest rest = measure(random_lists(1000, 4, 8, 2, sharpness, 11));
    std::printf("\n1000 lists of 4 items, 8 markers\n");
    std::printf("sharpness   weight at rest: found     none   noise: without rest     with it\n");
    for (std::size_t i = 0; i < sharpness.size(); ++i) {
        std::printf("%9g %23.3f %8.3f %21.3f %11.3f\n", sharpness[i], rest.rest_if_found[i],
                    rest.rest_if_none[i], rest.noise[i], rest.noise_with_rest[i]);
    }
}

namespace {

// Without a softmax: what the weights come to if k of n items match.
Rest by_formula(const Lists& lists) {
    Rest rest;
    const std::int64_t B = lists.values.dim(0), n = lists.values.dim(1);
    const Tensor match =
        tensor::squeeze(tensor::matmul(lists.markers, tensor::unsqueeze(lists.asked, -1)), -1);
    const Tensor matches = tensor::sum(match, -1);          // [B]
    const Tensor of_values = tensor::sum(lists.values, 1);  // [B, d_v]
    for (const double sharpness : lists.sharpness) {
        double found = 0, none = 0, resting = 0, resting_none = 0, noise = 0, with_rest = 0;
        const double low = tensor::exp(tensor::of(-sharpness / 2)).item();
        for (std::int64_t b = 0; b < B; ++b) {
            const double k = matches(b), others = static_cast<double>(n) - k;
            if (k > 0) {
                // All weights times e^(-sharpness/2), so that nothing overflows.
                ++found;
                resting += low / (k + low + others * low * low);
                continue;
            }
            ++none;
            const Tensor sum = tensor::select(of_values, 0, b);
            const double length = std::sqrt(tensor::sum(sum * sum).item());
            resting_none += 1 / (1 + others * low);
            noise += length / others;
            with_rest += length * low / (1 + others * low);
        }
        rest.rest_if_found.push_back(found > 0 ? resting / found : 0);
        rest.rest_if_none.push_back(none > 0 ? resting_none / none : 0);
        rest.noise.push_back(none > 0 ? noise / none : 0);
        rest.noise_with_rest.push_back(none > 0 ? with_rest / none : 0);
    }
    return rest;
}

// The noise with rest is that without, times what is left of the weight.
Rest with_the_noise_scaled(const Lists& lists) {
    Rest rest = walk(lists, {});
    for (std::size_t i = 0; i < rest.noise.size(); ++i) {
        rest.noise_with_rest[i] = rest.noise[i] * (1 - rest.rest_if_none[i]);
    }
    return rest;
}

}  // namespace

Trials nothing_to_find_trials() {
    Trials trials;
    trials.slipping = [](const Slips& slip) {
        return nothing_to_find([=](const Lists& lists) { return walk(lists, slip); });
    };
    trials.right["by a formula"] = [] { return nothing_to_find(by_formula); };
    trials.right["with the noise scaled"] = [] { return nothing_to_find(with_the_noise_scaled); };
    return trials;
}

}  // namespace exercise
